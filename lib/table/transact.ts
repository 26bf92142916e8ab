/** Writes several items atomically. A single write needs no transaction, which would cost twice the units. */

import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { message } from '../../schemas/messages/index.ts'
import { invalidField } from '../core/errors.ts'
import { documents } from './client.ts'
import { isConditionFailure } from './condition.ts'
import type { Write } from './write.ts'

export const MAX_WRITES_PER_TRANSACTION = 100

/** A condition failed: another writer changed the item, or it exists already. */
export class ConditionFailedError extends Error {
  readonly failed: number[]
  constructor(failed: number[], options?: ErrorOptions) {
    super(`The condition of write ${failed.join(', ')} failed.`, options)
    this.name = 'ConditionFailed'
    this.failed = failed
  }
}

export async function transact(writes: Write[]): Promise<void> {
  if (writes.length === 0) return
  try {
    if (writes.length === 1 && !('ConditionCheck' in writes[0]!)) await writeOne(writes[0]!)
    else await documents.send(new TransactWriteCommand({ TransactItems: writes }))
  } catch (error) {
    throw toConditionFailedError(error) ?? toInvalidError(error) ?? error
  }
}

/** A condition failed. Errors that a transaction makes of it have it as their cause. */
const isConflict = (error: unknown): boolean =>
  error instanceof ConditionFailedError || (error instanceof Error && error.cause instanceof ConditionFailedError)

/** One code per write of a canceled transaction; none for other errors. */
export const listCancellationCodes = (error: unknown): (string | undefined)[] =>
  ((error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? []).map(({ Code }) => Code)

/** Returns false when a condition failed because of a concurrent write. */
export async function tryCommit(commit: Promise<void>): Promise<boolean> {
  try {
    await commit
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

/** Repeats an attempt, which reads and writes, while its write conflicts. @throws the last conflict */
export async function retryOnConflict<T>(
  maxAttempts: number,
  attempt: (attemptNumber: number) => Promise<T>,
): Promise<T> {
  for (let attemptNumber = 1; ; attemptNumber++) {
    try {
      return await attempt(attemptNumber)
    } catch (error) {
      if (!isConflict(error) || attemptNumber >= maxAttempts) throw error
    }
  }
}

async function writeOne(write: Write): Promise<void> {
  if ('Put' in write) await documents.send(new PutCommand(write.Put))
  else if ('Delete' in write) await documents.send(new DeleteCommand(write.Delete))
  else if ('Update' in write) await documents.send(new UpdateCommand(write.Update))
}

/** DynamoDB stores numbers from 1e-130 to 1e126; JavaScript has smaller and larger ones. */
function toInvalidError(error: unknown): Error | undefined {
  if (!(error instanceof Error) || !/\bNumber (over|under)flow\b/.test(error.message)) return undefined
  return invalidField('body', message('requests.numberOutOfRange'))
}

function toConditionFailedError(error: unknown): ConditionFailedError | undefined {
  if (!(error instanceof Error)) return undefined
  if (isConditionFailure(error)) return new ConditionFailedError([0], { cause: error })
  if (error.name !== 'TransactionCanceledException') return undefined
  const conflictCodes = new Set<string | undefined>(['ConditionalCheckFailed', 'TransactionConflict'])
  const failed = listCancellationCodes(error).flatMap((code, index) => (conflictCodes.has(code) ? [index] : []))
  return failed.length > 0 ? new ConditionFailedError(failed, { cause: error }) : undefined
}
