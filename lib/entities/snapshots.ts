/** Stored snapshots, listed by sheet. One is small whatever it shows: a place in the sheet's log. */
import * as z from 'zod'
import { Id } from '../../schemas/ids.ts'
import { Snapshot } from '../../schemas/snapshots.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = Snapshot.omit({ summary: true }).extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  workbookId: Id,
  /** Entries of the log it shows the sheet after. */
  seq: z.number().int(),
  /** Where the sheet's configuration of then is kept. */
  configId: z.string(),
})

const stored = entity({ name: 'snapshot', shape: Shape, by: { inSheet: { index: 'gsi1', of: ['sheetId'] } } })
export type StoredSnapshot = Stored<typeof Shape>
export type NewSnapshot = z.infer<typeof Shape>

export const Snapshots = {
  ...stored,
  /** Newest first. */
  inSheet: (sheetId: string): Promise<StoredSnapshot[]> => stored.list('inSheet', { sheetId }, { order: 'desc' }),
}
