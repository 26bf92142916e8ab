/** Calls the `run-mutation` function and explains in plain words why it was stopped. */
import { FunctionFailedError, invoke } from '../../agents/invoke.ts'
import { env } from '../../core/env.ts'
import { unprocessable } from '../../core/errors.ts'
import type { MutationCall } from './call.ts'

export async function invokeEvaluator(call: MutationCall): Promise<unknown> {
  try {
    return await invoke(`${env().PLATFORM_PREFIX}run-mutation`, call)
  } catch (error) {
    const reason = error instanceof FunctionFailedError ? FAILURE_REASONS[error.type] : undefined
    throw reason === undefined ? error : unprocessable(`The function was stopped: ${reason}.`)
  }
}

const FAILURE_REASONS: Record<string, string> = {
  'Sandbox.Timedout': 'it did not finish in time',
  'Runtime.OutOfMemory': 'it used too much memory',
  'Runtime.ExitError': 'its process died, most likely because it used too much memory',
  'Function.ResponseSizeTooLarge': 'its values exceed the response limit of one call (6 MB)',
}
