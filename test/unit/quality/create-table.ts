import type { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'
import { FIELDS, type Table, toCells } from './tables.ts'

type Suite = Awaited<ReturnType<typeof startRecordSuite>>

/** Small segments and few rows per patch, so that every stored form occurs. */
export async function createTable({ engine, insert, update, remove }: Suite, { rows, updates, deletes }: Table) {
  const store = engine.createStore({ segmentRows: 16, editedRows: 3 })
  const ref = { sheetId: newSheetId(), fields: FIELDS }
  const { ids } = await insert(
    ref,
    rows.map((row) => ({ values: toCells(row) })),
    store,
  )
  const list = [...ids]
  const idAt = (at: number): string => list[at % list.length]!
  if (updates.length > 0)
    await update(
      ref,
      updates.map(({ at, row }) => ({ id: idAt(at), values: toCells(row) })),
      store,
    )
  if (deletes.length > 0) await remove(ref, [...new Set(deletes.map(idAt))], store)
  return ref
}
