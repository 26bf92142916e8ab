/** Takes snapshots of sheets and compares them with the current sheet. */
import type * as z from 'zod'
import type { SheetConfig } from '../../schemas/sheets/shape.ts'
import * as snapshots from '../../schemas/snapshots/events.ts'
import type { Summary } from '../../schemas/snapshots/shape.ts'
import { newId } from '../core/ids.ts'
import { type StoredSheet, sheetContext } from '../entities/sheets.ts'
import { type NewSnapshot, Snapshots, type StoredSnapshot } from '../entities/snapshots.ts'
import * as engine from '../records/index.ts'
import type { Tx } from '../tx.ts'
import { toSheetRef } from './sheet-ref.ts'

interface SnapshotLabels {
  label?: string | undefined
  threadId?: string | undefined
}

export async function createSnapshot(tx: Tx, sheet: StoredSheet, labels: SnapshotLabels): Promise<NewSnapshot> {
  return (await prepareSnapshot(sheet, labels)).write(tx)
}

export async function prepareSnapshot(sheet: StoredSheet, labels: SnapshotLabels) {
  const [version, configId] = await Promise.all([
    engine.readVersion(toSheetRef(sheet)),
    engine.storeContext(sheet.id, sheet.config),
  ])
  const id = newId('snapshot')
  const write = (tx: Tx): NewSnapshot => {
    const { accountId, environmentId, spaceId, workbookId, id: sheetId } = sheet
    const location = { accountId, environmentId, spaceId, workbookId, sheetId }
    const creation = { createdAt: tx.now, createdBy: tx.actor.actorId }
    const snapshot: NewSnapshot = { ...labels, ...version, ...location, ...creation, id, configId }
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

export async function summarizeSnapshot(
  sheet: StoredSheet,
  snapshot: StoredSnapshot,
): Promise<z.infer<typeof Summary>> {
  const [changes, config] = await Promise.all([
    engine.diffVersions(toSheetRef(sheet), { from: snapshot.seq }),
    engine.loadContext(sheet.id, snapshot.configId) as Promise<SheetConfig>,
  ])
  return { ...changes, schemaDiff: diffSchemas(config, sheet.config), config }
}

function diffSchemas(before: Pick<SheetConfig, 'fields'>, now: Pick<SheetConfig, 'fields'>) {
  const oldKeys = new Set(before.fields.map(({ key }) => key))
  const newKeys = new Set(now.fields.map(({ key }) => key))
  return Object.fromEntries(
    [...new Set([...oldKeys, ...newKeys])].map((key) => [
      key,
      !oldKeys.has(key) ? ('added' as const) : !newKeys.has(key) ? ('removed' as const) : ('unchanged' as const),
    ]),
  )
}
