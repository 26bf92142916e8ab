/** The differences of a copy as they are shown: records with all three versions of their values. */
import { textsAt } from '../log/history.ts'
import { recordIdOf } from '../log/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import { read } from '../read/list.ts'
import { rulesOf, valueColumn } from '../rules/rules.ts'
import { validated } from '../rules/validate.ts'
import type { Cell, JsonObject, SheetRef } from '../sheet.ts'
import { type Difference, differencesOf } from './differences.ts'

/** A cell of the copy beside its other versions. */
export interface ThreeCell extends Pick<Cell, 'valid' | 'messages'> {
  /** In the source now; null when the record is not there. */
  value: unknown
  /** When it was copied; null for a record made in the copy. */
  snapshotValue: unknown
  clipValue: unknown
}

export interface ThreeRecord {
  /** Of the copy. */
  id: string
  /** Of the source; absent for a record made in the copy. */
  sourceRecordId?: string
  values: { [field: string]: ThreeCell }
  valid: boolean
  metadata: JsonObject
  config: JsonObject
}

/** All differences as of now, in the order of the copy. */
export async function copyDifferences(
  { source, copy }: { source: SheetRef; copy: SheetRef },
  store: Store = processStore,
): Promise<readonly Difference[]> {
  const [sourceState, copyState] = await Promise.all([validated(store, source), validated(store, copy)])
  const states = { source: sourceState, sourceRules: rulesOf(source), copy: copyState, copyRules: rulesOf(copy) }
  return differencesOf(store, states)
}

/** Some of the differences with all values of their records; one whose record is gone meanwhile is left out. */
export async function threeVersions(
  { source, copy }: { source: SheetRef; copy: SheetRef },
  differences: readonly Difference[],
  store: Store = processStore,
): Promise<ThreeRecord[]> {
  const fields = copy.fields.map(({ key }) => key)
  const state = await validated(store, source)
  const originals = differences.flatMap((one) => (one.kind === 'changed' ? [one] : []))
  const [{ records }, texts] = await Promise.all([
    read(copy, { ids: differences.map(({ id }) => id) }, store),
    textsAt(
      store,
      state,
      fields.map(valueColumn),
      originals.map((one) => one.source!),
    ),
  ])
  const textsOf = new Map(originals.map(({ id }, i) => [id, texts[i]]))
  const byId = new Map(records.map((record) => [record.id, record]))
  return differences.flatMap((one): ThreeRecord[] => {
    const record = byId.get(one.id)
    if (!record) return []
    const own = textsOf.get(one.id)
    const values = fields.map((field, i): [string, ThreeCell] => {
      const { value: clipValue, messages, valid } = record.values[field]!
      const base = one.cells.get(field)?.base
      const snapshotValue = one.kind === 'added' ? null : base === undefined ? clipValue : JSON.parse(base)
      return [field, { value: own ? JSON.parse(own[i]!) : null, snapshotValue, clipValue, messages, valid }]
    })
    const { valid, metadata, config } = record
    return [
      {
        id: one.id,
        ...(one.source ? { sourceRecordId: recordIdOf(source.sheetId, one.source) } : {}),
        values: Object.fromEntries(values),
        valid,
        metadata,
        config,
      },
    ]
  })
}
