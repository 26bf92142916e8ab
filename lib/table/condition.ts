/** Tells whether the condition of a single write failed; for transactions see transact.ts. */
import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'

export const isConditionFailure = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof Error && error.name === 'ConditionalCheckFailedException'

/** Returns false when the condition of `write` failed. */
export async function tryWrite(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (isConditionFailure(error)) return false
    throw error
  }
}
