/** Snapshots of sheets: taking one, and what became of the sheet since. */
import type * as z from 'zod'
import type { SheetConfig } from '../../schemas/sheets.ts'
import type { Summary } from '../../schemas/snapshots.ts'
import * as snapshots from '../../schemas/snapshots.ts'
import { newId } from '../core/ids.ts'
import { type StoredSheet, sheetContext } from '../entities/sheets.ts'
import { type NewSnapshot, Snapshots, type StoredSnapshot } from '../entities/snapshots.ts'
import * as engine from '../records/index.ts'
import type { Tx } from '../tx.ts'
import { sheetRef } from './sheet-ref.ts'

/** Keeps the sheet's present version, and tells of it. */
export async function createSnapshot(
  tx: Tx,
  sheet: StoredSheet,
  named: { label?: string | undefined; threadId?: string | undefined },
): Promise<NewSnapshot> {
  const [version, configId] = await Promise.all([
    engine.versionOf(sheetRef(sheet)),
    engine.keep(sheet.id, sheet.config),
  ])
  const snapshot: NewSnapshot = {
    ...named,
    ...version,
    id: newId('snapshot'),
    sheetId: sheet.id,
    accountId: sheet.accountId,
    environmentId: sheet.environmentId,
    spaceId: sheet.spaceId,
    workbookId: sheet.workbookId,
    configId,
    createdAt: tx.now,
    createdBy: tx.actor.actorId,
  }
  tx.write(Snapshots.create(snapshot))
  const { id: snapshotId, sheetId, workbookId, spaceId } = snapshot
  tx.emit(
    snapshots.created,
    { ...sheetContext(sheet), snapshotId },
    { snapshotId, sheetId, workbookId, spaceId },
    { namespaces: sheet.namespaces ?? [] },
  )
  return snapshot
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
