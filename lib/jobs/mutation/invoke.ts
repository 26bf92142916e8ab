/** Calls the `run-mutation` function and explains in plain words why it was stopped. */
import { message } from '../../../schemas/messages/index.ts'
import { FunctionFailedError, invoke } from '../../agents/invoke.ts'
import { env } from '../../core/env.ts'
import { unprocessable } from '../../core/errors.ts'
import type { MutationCall } from './call.ts'

export async function invokeEvaluator(call: MutationCall): Promise<unknown> {
  try {
    return await invoke(`${env().PLATFORM_PREFIX}run-mutation`, call)
  } catch (error) {
    const reason = error instanceof FunctionFailedError ? REASONS[error.type] : undefined
    throw reason === undefined ? error : unprocessable(message('mutations.stopped', { reason }))
  }
}

const REASONS: Record<string, string> = {
  'Sandbox.Timedout': message('mutations.outOfTime'),
  'Runtime.OutOfMemory': message('mutations.outOfMemory'),
  'Runtime.ExitError': message('mutations.processDied'),
  'Function.ResponseSizeTooLarge': message('mutations.resultTooLarge', { limit: 6 }),
}
