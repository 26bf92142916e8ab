/** Writes several items or none. One write alone goes as a plain conditional write: a transaction costs twice the units. */
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { invalidField } from '../core/errors.ts'
import { documents } from './client.ts'
import type { Write } from './entity.ts'

/** A transaction holds at most this many writes (AWS). */
export const TRANSACTION_LIMIT = 100

/** A condition did not hold: somebody else wrote what this write was based on, or it is there already. */
export class ConditionFailed extends Error {
  /** Positions of the writes whose condition failed. */
  readonly failed: number[]
  constructor(failed: number[], options?: ErrorOptions) {
    super(`The condition of write ${failed.join(', ')} does not hold.`, options)
    this.name = 'ConditionFailed'
    this.failed = failed
  }
}

/** Commits all writes or none. Throws {@link ConditionFailed} when a condition does not hold. */
export async function transact(writes: Write[]): Promise<void> {
  if (writes.length === 0) return
  try {
    if (writes.length === 1 && !('ConditionCheck' in writes[0]!)) await single(writes[0]!)
    else await documents.send(new TransactWriteCommand({ TransactItems: writes as never }))
  } catch (error) {
    throw asConditionFailed(error) ?? asInvalid(error) ?? error
  }
}

/** Waits for the commit; false when a condition of it does not hold: somebody else wrote in between. */
export const committed = (commit: Promise<void>): Promise<boolean> =>
  commit.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ConditionFailed) return false
      throw error
    },
  )

async function single(write: Write): Promise<void> {
  if ('Put' in write) await documents.send(new PutCommand(write.Put))
  else if ('Delete' in write) await documents.send(new DeleteCommand(write.Delete))
  else if ('Update' in write) await documents.send(new UpdateCommand(write.Update as never))
}

/** DynamoDB keeps numbers from 1e-130 to 1e126, JavaScript makes smaller and larger ones. */
function asInvalid(error: unknown): Error | undefined {
  if (!(error instanceof Error) || !/\bNumber (over|under)flow\b/.test(error.message)) return undefined
  return invalidField('body', 'has a number nearer to zero than 1e-130 or further from it than 1e126')
}

function asConditionFailed(error: unknown): ConditionFailed | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'ConditionalCheckFailedException') return new ConditionFailed([0], { cause: error })
  if (error.name !== 'TransactionCanceledException') return undefined
  const reasons = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? []
  const lost = new Set(['ConditionalCheckFailed', 'TransactionConflict'])
  const failed = reasons.flatMap((reason, index) => (lost.has(reason.Code ?? '') ? [index] : []))
  return failed.length > 0 ? new ConditionFailed(failed, { cause: error }) : undefined
}
