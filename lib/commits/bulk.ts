/** Bulk changes to every record of a selection, published as commit events. */
import type { StoredSheet } from '../entities/sheets.ts'
import * as engine from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { prepareWrite, type WriteOptions } from './write.ts'

export function createBulkWriter(sheet: StoredSheet, by: { actor: Actor }, options: WriteOptions = {}) {
  const { ref, context, tell: publishResult } = prepareWrite(sheet, by, options)
  return {
    async update(selection: engine.Selection, cells: engine.CellInputs) {
      const result = await engine.bulkUpdate(ref, selection, cells, context)
      return publishResult(result, { changes: result.changes })
    },
    async findReplace(selection: engine.Selection, replacement: engine.Replacement) {
      const result = await engine.findReplace(ref, selection, replacement, context)
      return publishResult(result, { changes: result.changes })
    },
    async replaceValues(selection: engine.Selection, replacement: engine.ValueReplacement) {
      const result = await engine.replaceValues(ref, selection, replacement, context)
      return publishResult(result, { changes: result.changes })
    },
    async mutate(selection: engine.Selection, mutate: engine.MutateBatch) {
      const result = await engine.mutate(ref, selection, mutate, context)
      return publishResult(result, { changes: result.changes })
    },
  }
}
