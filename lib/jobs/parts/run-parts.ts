/** Divides the work of a job among functions that work side by side. Their results appear with the job's own commit. */
import { invoke } from '../../agents/invoke.ts'
import { mapConcurrent } from '../../core/concurrency.ts'
import { env, processEnv } from '../../core/env.ts'
import { ApiError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import type { Part } from './part.ts'
import type { PartOutcome } from './perform-part.ts'

/** A part of a function that died, by memory or time, is repeated: it stores nothing that is visible. */
const MAX_ATTEMPTS = 3

/**
 * After a failure no more functions start, and those that run are awaited.
 * @throws ApiError of a part; rethrows errors from `onResult`
 */
export const runParts =
  <Q, R>(toPart: (request: Q) => Part) =>
  (requests: readonly Q[], onResult: (result: R) => Promise<void>): Promise<R[]> =>
    mapConcurrent(processEnv().PARTS_AT_ONCE, requests, async (request) => {
      const result = (await runPart(toPart(request))) as R
      await onResult(result)
      return result
    })

export async function runPart(part: Part, maxAttempts = MAX_ATTEMPTS): Promise<unknown> {
  for (let attempt = 1; ; attempt++)
    try {
      const outcome = (await invoke(`${env().PLATFORM_PREFIX}run-job`, { part })) as PartOutcome
      if ('failed' in outcome) throw new ApiError(outcome.failed.code, [...outcome.failed.problems])
      return outcome.result
    } catch (error) {
      if (error instanceof ApiError || attempt === maxAttempts) throw error
      log.warn('A part failed and is repeated', { attempt, error: error as Error })
    }
}
