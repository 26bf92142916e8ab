/** Snapshots of sheets: taking one, and what became of the sheet since. */
import type * as z from 'zod'
import type { SheetConfig } from '../../schemas/sheet.ts'
import type { Summary } from '../../schemas/snapshots.ts'
import * as snapshots from '../../schemas/snapshots.ts'
import { newId } from '../core/ids.ts'
import { type StoredSheet, sheetContext } from '../entities/sheets.ts'
import { type NewSnapshot, Snapshots, type StoredSnapshot } from '../entities/snapshots.ts'
import * as engine from '../records/index.ts'
import type { Tx } from '../tx.ts'
import { sheetRef } from './sheet-ref.ts'

interface Naming {
  label?: string | undefined
  threadId?: string | undefined
}

/** Keeps the sheet's present version, and tells of it. */
export async function createSnapshot(tx: Tx, sheet: StoredSheet, named: Naming): Promise<NewSnapshot> {
  return (await prepareSnapshot(sheet, named)).write(tx)
}

/** The sheet's present version ready to be kept under an id, by whichever unit of work commits. */
export async function prepareSnapshot(sheet: StoredSheet, named: Naming) {
  const [version, configId] = await Promise.all([
    engine.versionOf(sheetRef(sheet)),
    engine.keep(sheet.id, sheet.config),
  ])
  const id = newId('snapshot')
  const write = (tx: Tx): NewSnapshot => {
    const { accountId, environmentId, spaceId, workbookId, id: sheetId } = sheet
    const place = { accountId, environmentId, spaceId, workbookId, sheetId }
    const made = { createdAt: tx.now, createdBy: tx.actor.actorId }
    const snapshot: NewSnapshot = { ...named, ...version, ...place, ...made, id, configId }
    tx.write(Snapshots.create(snapshot))
    tx.emit(
      snapshots.created,
      { ...sheetContext(sheet), snapshotId: id },
      { snapshotId: id, sheetId, workbookId, spaceId },
      { namespaces: sheet.namespaces ?? [] },
    )
    return snapshot
  }
  return { id, write }
}

/** What changed between a snapshot and the sheet as it is: records, and fields. */
export async function summaryOf(sheet: StoredSheet, snapshot: StoredSnapshot): Promise<z.infer<typeof Summary>> {
  const [changes, config] = await Promise.all([
    engine.diff(sheetRef(sheet), { from: snapshot.seq }),
    engine.kept(sheet.id, snapshot.configId) as Promise<SheetConfig>,
  ])
  return { ...changes, schemaDiff: schemaDiff(config, sheet.config), config }
}

function schemaDiff(before: Pick<SheetConfig, 'fields'>, now: Pick<SheetConfig, 'fields'>) {
  const old = new Set(before.fields.map(({ key }) => key))
  const fresh = new Set(now.fields.map(({ key }) => key))
  return Object.fromEntries(
    [...new Set([...old, ...fresh])].map((key) => [
      key,
      !old.has(key) ? ('added' as const) : !fresh.has(key) ? ('removed' as const) : ('unchanged' as const),
    ]),
  )
}
