/** Stored snapshots, listed by sheet. A snapshot is only a position in the sheet's log. */
import * as z from 'zod'
import { Id } from '../../schemas/kit/ids.ts'
import { Snapshot } from '../../schemas/snapshots/shape.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = Snapshot.omit({ summary: true }).extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  workbookId: Id,
  /** Number of log entries the snapshot includes. */
  seq: z.number().int(),
  configId: z.string(),
})

const stored = entity({ name: 'snapshot', shape: Shape, by: { inSheet: { index: 'gsi1', of: ['sheetId'] } } })
export type StoredSnapshot = Stored<typeof Shape>
export type NewSnapshot = z.infer<typeof Shape>

export const Snapshots = {
  ...stored,
  inSheet: (sheetId: string): Promise<StoredSnapshot[]> => stored.list('inSheet', { sheetId }, { order: 'desc' }),
}
