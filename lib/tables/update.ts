/** Updates the table of a sheet. The pointer is written last, so a crash leaves files that the next run writes again. */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { MINUTE_MS } from '../../schemas/kit/time.ts'
import { createPublishLease, LeaseHeldError } from '../commits/publish-lease.ts'
import { toSheetRef } from '../commits/sheet-ref.ts'
import { sha256 } from '../core/crypto.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import { TableUpdates } from '../entities/table-updates.ts'
import { ParquetTable } from '../files/export/parquet/table.ts'
import { deletePrefix, getBucketName, getObject, putObject } from '../objects/store.ts'
import { listSegments, type SheetSegment } from '../records/index.ts'
import { transact } from '../table/transact.ts'
import { formatTablePrefix } from './location.ts'
import { type DataFile, encodeManifest, encodeManifestList, sumRows } from './manifest.ts'
import { addSnapshot, TableMetadata } from './metadata.ts'
import { buildColumns, type TableColumn } from './schema.ts'

const POINTER = '_latest.json'
/** Jobs that read the sheet before it had a table write for up to 15 minutes without a request. */
const SETTLE_MS = 16 * MINUTE_MS

const Pointer = z.object({
  version: z.number(),
  commitId: z.string().optional(),
  updatedAt: z.iso.datetime(),
  metadata: z.string(),
  rows: z.number(),
  files: z.array(z.object({ path: z.string(), rows: z.number(), bytes: z.number(), addedBy: z.number() })),
})
type Pointer = z.infer<typeof Pointer>

export type TableUpdate = 'written' | 'unchanged' | 'removed' | 'left'

export async function updateTable(sheetId: string, claim: string): Promise<TableUpdate> {
  const lease = createPublishLease(`table ${sheetId}`)
  try {
    await lease.renew()
    const { update, createdAt } = await updateLeased(sheetId, lease.renew)
    const settledAt = new Date((createdAt ?? 0) + SETTLE_MS)
    if (settledAt > new Date()) await TableUpdates.postpone(sheetId, claim, settledAt)
    else await TableUpdates.complete(sheetId, claim)
    return update
  } catch (error) {
    if (!(error instanceof LeaseHeldError)) throw error
    await transact([TableUpdates.request(sheetId)])
    return 'left'
  } finally {
    await lease.release()
  }
}

/** `createdAt` is in milliseconds. */
interface Updated {
  update: TableUpdate
  createdAt?: number
}

async function updateLeased(sheetId: string, renew: () => Promise<void>): Promise<Updated> {
  const sheet = await Sheets.get(sheetId)
  if (!sheet) return { update: 'removed' }
  const prefix = formatTablePrefix({ environmentId: sheet.environmentId, sheetId })
  if (!sheet.table) {
    await deletePrefix(prefix)
    return { update: 'removed' }
  }
  const updated = await writeVersion(sheet, prefix, renew)
  // The deletion of a sheet does not wait for this run.
  if (!(await Sheets.get(sheetId))) await deletePrefix(prefix)
  return updated
}

async function writeVersion(sheet: StoredSheet, prefix: string, renew: () => Promise<void>): Promise<Updated> {
  const earlier = await readEarlier(prefix)
  const { fields } = sheet.config
  const lastSchema = earlier?.metadata.schemas.at(-1)
  const columns = buildColumns(fields, lastSchema?.fields ?? [], earlier?.metadata['last-column-id'] ?? 0)
  const { commitId, segments } = await listSegments(toSheetRef(sheet))
  const version = (earlier?.pointer.version ?? 0) + 1
  const known = new Map(earlier?.pointer.files.map((file) => [file.path, file]))
  const schemaKey = sha256(JSON.stringify(columns)).slice(0, 8)
  const files: DataFile[] = []
  for (const segment of segments) {
    const path = `data/${segment.identity}-${schemaKey}.parquet`
    await renew()
    files.push(
      known.get(path) ?? (await writeDataFile({ sheet, columns, segment, key: `${prefix}${path}`, path, version })),
    )
  }
  const isSame = earlier?.pointer.files.length === files.length && files.every(({ path }) => known.has(path))
  const createdAt = earlier?.metadata.snapshots[0]?.['timestamp-ms'] ?? Date.now()
  if (isSame && JSON.stringify(lastSchema?.fields) === JSON.stringify(columns))
    return { update: 'unchanged', createdAt }
  const metadata = await writeMetadata({ prefix, version, columns, files, commitId, earlier: earlier?.metadata })
  const pointer: Pointer = {
    version,
    commitId,
    updatedAt: new Date().toISOString(),
    metadata,
    rows: sumRows(files),
    files,
  }
  await renew()
  await putObject(`${prefix}${POINTER}`, JSON.stringify(pointer), { contentType: 'application/json' })
  await putObject(`${prefix}metadata/version-hint.text`, String(version))
  // Throws if another process took over before these writes, which may have replaced newer ones.
  await renew()
  return { update: 'written', createdAt }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as Error).name !== 'NoSuchKey') throw error
}

async function readEarlier(prefix: string) {
  const bytes = await getObject(`${prefix}${POINTER}`).catch(ignoreMissing)
  if (!bytes) return undefined
  const pointer = Pointer.parse(JSON.parse(bytes.toString()))
  const metadata = await getObject(`${prefix}${pointer.metadata}`)
  return { pointer, metadata: TableMetadata.parse(JSON.parse(metadata.toString())) }
}

interface NewDataFile {
  sheet: StoredSheet
  columns: readonly TableColumn[]
  segment: SheetSegment
  key: string
  path: string
  version: number
}

async function writeDataFile({ sheet, columns, segment, key, path, version }: NewDataFile): Promise<DataFile> {
  const table = new ParquetTable(sheet.config.fields, { fieldIds: new Map(columns.map(({ id, name }) => [name, id])) })
  const batch = await segment.open()
  for (let field = 0; field < table.fieldCount; field++)
    batch.visit(field, 0, batch.rows, (json, from, to) => table.addCell(field, json, from, to))
  table.endRows(batch.rows)
  const bytes = table.finish()
  await putObject(key, bytes, { contentType: 'application/vnd.apache.parquet' })
  return { path, rows: batch.rows, bytes: bytes.length, addedBy: version }
}

interface NewMetadata {
  prefix: string
  version: number
  columns: readonly TableColumn[]
  files: readonly DataFile[]
  commitId: string | undefined
  earlier: TableMetadata | undefined
}

async function writeMetadata({ prefix, version, columns, files, commitId, earlier }: NewMetadata): Promise<string> {
  const location = `s3://${getBucketName()}/${prefix}`
  const located = files.map((file) => ({ ...file, path: `${location}${file.path}` }))
  const manifestPath = `metadata/v${version}-manifest.avro`
  const listPath = `metadata/v${version}-snapshot.avro`
  const metadata = addSnapshot(
    earlier,
    { uuid: earlier?.['table-uuid'] ?? randomUUID(), location: location.slice(0, -1) },
    {
      ...{ id: version, at: new Date(), commitId, columns, rows: sumRows(files), files: files.length },
      manifestList: `${location}${listPath}`,
    },
  )
  const manifest = await encodeManifest(version, located, { columns, schemaId: metadata['current-schema-id'] })
  await putObject(`${prefix}${manifestPath}`, manifest)
  const list = { path: `${location}${manifestPath}`, bytes: manifest.length }
  await putObject(`${prefix}${listPath}`, await encodeManifestList(version, located, list))
  const path = `metadata/v${version}.metadata.json`
  await putObject(`${prefix}${path}`, JSON.stringify(metadata), { contentType: 'application/json' })
  return path
}
