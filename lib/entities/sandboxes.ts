/** Functions that were made for one piece of work, on record until they are gone. */
import { tableName } from '../table/client.ts'
import { due, dueAt } from '../table/due.ts'
import type { Write } from '../table/entity.ts'

const QUEUE = 'sandbox'

const keyOf = (id: string) => ({ pk: `sandbox#${id}`, sk: '-' })

export const Sandboxes = {
  /** Noted again it is due later. */
  note: (id: string, at: Date): Write =>
    dueAt({ Put: { TableName: tableName(), Item: { ...keyOf(id), id } } }, QUEUE, id, at.toISOString()),
  forget: (id: string): Write => ({ Delete: { TableName: tableName(), Key: keyOf(id) } }),
  /** Ids of those that should be gone by now, some at a time. */
  due: (now: Date): AsyncGenerator<string[]> => due(QUEUE, now),
}
