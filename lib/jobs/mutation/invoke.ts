/** Has the stack's function `run-mutation` evaluate a call, and says in the user's words what ended it. */
import { FunctionFailed, invoke } from '../../agents/invoke.ts'
import { env } from '../../core/env.ts'
import { unprocessable } from '../../core/errors.ts'
import type { Call } from './call.ts'

/** @throws ApiError unprocessable when the call's time or memory ran out */
export async function evaluate(call: Call): Promise<unknown> {
  try {
    return await invoke(`${env().PLATFORM_PREFIX}run-mutation`, call)
  } catch (error) {
    const why = error instanceof FunctionFailed ? LIMITS[error.type] : undefined
    throw why === undefined ? error : unprocessable(`The function was stopped: ${why}.`)
  }
}

/** By the names Lambda and its runtime have for the end of a process. */
const LIMITS: Record<string, string> = {
  'Sandbox.Timedout': 'it did not end in its time',
  'Runtime.OutOfMemory': 'it took too much memory',
  'Runtime.ExitError': 'its process ended, most likely because it took too much memory',
  'Function.ResponseSizeTooLarge': 'the values it made are larger than one call may answer (6 MB)',
}
