/** A failed condition leads to another attempt, to `false` or to an error. */
import { describe, expect, it } from 'vitest'
import { conflict } from '../../../lib/core/errors.ts'
import { ConditionFailedError, retryOnConflict, tryCommit } from '../../../lib/table/transact.ts'

const failure = new ConditionFailedError([0])
const reply409 = conflict('changed meanwhile', { cause: failure })
const otherErrors = [new Error('other'), conflict('too many'), 'text', undefined]

describe('tried commit', () => {
  it('is false for a failed condition or the reply made of it; other errors, also other 409, pass', async () => {
    expect(await tryCommit(Promise.resolve())).toBe(true)
    for (const error of [failure, reply409]) expect(await tryCommit(Promise.reject(error))).toBe(false)
    for (const error of otherErrors) await expect(tryCommit(Promise.reject(error))).rejects.toBe(error)
  })
})

describe('retry on conflict', () => {
  const countAttempts = async (maxAttempts: number, attempt: (attemptNumber: number) => Promise<string>) => {
    const numbers: number[] = []
    const result = await retryOnConflict(maxAttempts, (attemptNumber) => {
      numbers.push(attemptNumber)
      return attempt(attemptNumber)
    }).catch((error: unknown) => error)
    return [result, numbers]
  }

  it('repeats until an attempt succeeds', async () => {
    const succeedAtThird = async (attemptNumber: number) => {
      if (attemptNumber < 3) throw attemptNumber === 1 ? failure : reply409
      return 'done'
    }
    expect(await countAttempts(5, succeedAtThird)).toEqual(['done', [1, 2, 3]])
    expect(await countAttempts(Number.POSITIVE_INFINITY, succeedAtThird)).toEqual(['done', [1, 2, 3]])
  })

  it('throws the last conflict and any other error', async () => {
    expect(await countAttempts(2, () => Promise.reject(reply409))).toEqual([reply409, [1, 2]])
    expect(await countAttempts(2, () => Promise.reject(otherErrors[1]))).toEqual([otherErrors[1], [1]])
  })
})
