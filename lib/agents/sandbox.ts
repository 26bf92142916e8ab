/**
 * A function of its own for code that somebody wrote into a request: its role may do nothing but write its log, it has no
 * variable of the platform, and it goes when the work is done. Nobody else's data is ever in its process.
 */
import { env } from '../core/env.ts'
import { Sandboxes } from '../entities/sandboxes.ts'
import { transact } from '../table/transact.ts'
import { createFunction, type Limits, removeFunction } from './function.ts'
import { FunctionFailed, invoke } from './invoke.ts'
import { unlessMissing } from './missing.ts'
import { zipOf } from './zip.ts'

/** Longer than any run. */
const KEPT_MS = 20 * 60_000

export const SANDBOX_LIMITS: Limits = { timeoutSeconds: 60, memoryMegabytes: 1024 }

/** The code was ended by its limits. */
export class SandboxExceeded extends Error {}

export interface Sandbox {
  /** One call, one answer. @throws SandboxExceeded when time or memory ran out */
  call(payload: object): Promise<unknown>
}

const nameOf = (id: string): string => `${env().FUNCTION_PREFIX}${id}`

/**
 * Makes the function at its first call, or goes on with the one an interrupted run left, and takes it away when `use` has
 * ended.
 * @param id names it among all
 * @param module text of an ES module that exports `handler`
 */
export async function withSandbox<T>(id: string, module: string, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  let making: Promise<void> | undefined
  const call = async (payload: object): Promise<unknown> => {
    await making
    const answer = await unlessMissing(called(nameOf(id), payload))
    if (answer !== undefined) return answer
    // Calls at the same time make it once; taken away meanwhile, it is made again.
    making ??= make(id, module).finally(() => {
      making = undefined
    })
    await making
    return called(nameOf(id), payload)
  }
  try {
    return await use({ call })
  } finally {
    await removeSandbox(id)
  }
}

async function removeSandbox(id: string): Promise<void> {
  await removeFunction(nameOf(id))
  await transact([Sandboxes.forget(id)])
}

/** Takes away what runs left that died; one that is still at work makes its function anew. Answers how many there were. */
export async function removeLeftSandboxes(now: Date): Promise<number> {
  let removed = 0
  for await (const ids of Sandboxes.due(now)) {
    for (const id of ids) await removeSandbox(id)
    removed += ids.length
  }
  return removed
}

/** On record before it is there: nothing that a dying run leaves is forgotten. */
async function make(id: string, module: string): Promise<void> {
  await transact([Sandboxes.note(id, new Date(Date.now() + KEPT_MS))])
  const made = createFunction(nameOf(id), zipOf({ 'index.mjs': module }), {}, SANDBOX_LIMITS)
  await made.catch((error: Error) => {
    // Another run of the same was faster.
    if (error.name !== 'ResourceConflictException') throw error
  })
}

async function called(name: string, payload: object): Promise<unknown> {
  try {
    return await invoke(name, payload)
  } catch (error) {
    const why = error instanceof FunctionFailed ? LIMITS[error.type] : undefined
    throw why === undefined ? error : new SandboxExceeded(why)
  }
}

/** What Lambda and its runtime name the end of a process that took too much. */
const LIMITS: Record<string, string> = {
  'Sandbox.Timedout': `it did not end within ${SANDBOX_LIMITS.timeoutSeconds} s`,
  'Runtime.OutOfMemory': `it took more than ${SANDBOX_LIMITS.memoryMegabytes} MB of memory`,
  'Runtime.ExitError': `its process ended, most likely because it took more than ${SANDBOX_LIMITS.memoryMegabytes} MB of memory`,
  'Function.ResponseSizeTooLarge': 'the values it made are larger than one call may answer (6 MB)',
}
