/** Changes of all records a selection means, with the events of their commit. */
import type { StoredSheet } from '../entities/sheets.ts'
import * as engine from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { type WriteOptions, writing } from './write.ts'

/** For one sheet and one actor; each verb is one commit. */
export function bulkChanges(sheet: StoredSheet, by: { actor: Actor }, options: WriteOptions = {}) {
  const { ref, context, tell } = writing(sheet, by, options)
  return {
    async update(selection: engine.Selection, cells: engine.CellInputs) {
      const result = await engine.bulkUpdate(ref, selection, cells, context)
      return tell(result, { changes: result.changes })
    },
    async findReplace(selection: engine.Selection, replacement: engine.Replacement) {
      const result = await engine.findReplace(ref, selection, replacement, context)
      return tell(result, { changes: result.changes })
    },
    /** Changes records by what is made of their values. */
    async mutate(selection: engine.Selection, mutate: engine.Mutate) {
      const result = await engine.mutate(ref, selection, mutate, context)
      return tell(result, { changes: result.changes })
    },
  }
}
