/** Reads the differences of a copy as records with all three versions of each value. */

import { loadValidatedState } from '../constraints/validated-state.ts'
import { rulesOf } from '../fields/rules.ts'
import { valueColumn } from '../format/column-names.ts'
import { formatRecordId } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import { readRecords } from '../read/list.ts'
import { readCellTexts } from '../segments/open.ts'
import type { Cell, JsonObject, SheetRef } from '../sheet.ts'
import { type Difference, findCopyDifferences } from './differences.ts'

export interface ThreeWayCell extends Pick<Cell, 'valid' | 'messages'> {
  /** Current value in the source; null when the record was deleted. */
  value: unknown
  /** Value when it was copied; null for a record created in the copy. */
  snapshotValue: unknown
  clipValue: unknown
}

export interface ThreeWayRecord {
  id: string
  sourceRecordId?: string
  values: { [field: string]: ThreeWayCell }
  valid: boolean
  metadata: JsonObject
  config: JsonObject
}

export async function readCopyDifferences(
  { source, copy }: { source: SheetRef; copy: SheetRef },
  store: Store = processStore,
): Promise<readonly Difference[]> {
  const [sourceState, copyState] = await Promise.all([
    loadValidatedState(store, source),
    loadValidatedState(store, copy),
  ])
  const states = { source: sourceState, sourceRules: rulesOf(source), copy: copyState, copyRules: rulesOf(copy) }
  return findCopyDifferences(store, states)
}

/** Records deleted in the meantime are omitted. */
export async function readThreeWayRecords(
  { source, copy }: { source: SheetRef; copy: SheetRef },
  differences: readonly Difference[],
  store: Store = processStore,
): Promise<ThreeWayRecord[]> {
  const fields = copy.fields.map(({ key }) => key)
  const state = await loadValidatedState(store, source)
  const changedRecords = differences.flatMap((difference) => (difference.kind === 'changed' ? [difference] : []))
  const [{ records }, texts] = await Promise.all([
    readRecords(copy, { ids: differences.map(({ id }) => id) }, store),
    readCellTexts(
      store,
      state,
      fields.map(valueColumn),
      changedRecords.map((difference) => difference.source!),
    ),
  ])
  const sourceTextsById = new Map(changedRecords.map(({ id }, i) => [id, texts[i]]))
  const byId = new Map(records.map((record) => [record.id, record]))
  return differences.flatMap((difference): ThreeWayRecord[] => {
    const record = byId.get(difference.id)
    if (!record) return []
    const sourceTexts = sourceTextsById.get(difference.id)
    const values = fields.map((field, i): [string, ThreeWayCell] => {
      const { value: clipValue, messages, valid } = record.values[field]!
      const base = difference.cells.get(field)?.base
      const snapshotValue = difference.kind === 'added' ? null : base === undefined ? clipValue : JSON.parse(base)
      return [
        field,
        { value: sourceTexts ? JSON.parse(sourceTexts[i]!) : null, snapshotValue, clipValue, messages, valid },
      ]
    })
    const { valid, metadata, config } = record
    return [
      {
        id: difference.id,
        ...(difference.source ? { sourceRecordId: formatRecordId(source.sheetId, difference.source) } : {}),
        values: Object.fromEntries(values),
        valid,
        metadata,
        config,
      },
    ]
  })
}
