/** Deletes unreferenced objects, left by writers that died or replanned. The log keeps every version readable. */
import { DAY_MS } from '../../../schemas/kit/time.ts'
import { deleteObjects, listFolders, listObjects } from '../../objects/store.ts'
import { readManifestReferences } from '../../table/record-log.ts'
import type { BlobForm } from '../format/entries.ts'
import { readAllEntries } from '../log/read-entries.ts'
import { formatObjectKey, formatObjectPrefix, processStore, type Store } from '../log/store.ts'

export interface GarbageStats {
  objects: number
  bytes: number
}

/** The default age of one day is far longer than any write takes. Small blobs, stored as items, are not collected. */
export async function collectGarbage(
  sheetId: string,
  options: { olderThan?: Date } = {},
  store: Store = processStore,
): Promise<GarbageStats> {
  const olderThan = options.olderThan ?? new Date(Date.now() - DAY_MS)
  // Objects are listed before the log is read, so references added in the meantime are seen.
  const candidates = new Map<string, number>()
  for await (const { key, size, lastModified } of listObjects(formatObjectPrefix(sheetId)))
    if (lastModified < olderThan) candidates.set(key, size)
  if (candidates.size)
    for await (const id of listReferencedBlobs(store, sheetId)) candidates.delete(formatObjectKey(id))
  await deleteObjects([...candidates.keys()])
  return { objects: candidates.size, bytes: [...candidates.values()].reduce((sum, size) => sum + size, 0) }
}

export const listSheetsWithObjects = (): AsyncGenerator<string> => listFolders(formatObjectKey(''))

async function* listReferencedBlobs(store: Store, sheetId: string): AsyncGenerator<string> {
  for await (const entries of readAllEntries(store, sheetId))
    for (const { entry, body } of entries) for (const [id] of findBlobForms([entry.r, body], sheetId)) yield id
  for (const reference of await readManifestReferences(sheetId))
    for (const [id] of findBlobForms(JSON.parse(reference), sheetId)) yield id
}

export function* findBlobForms(form: unknown, sheetId: string): Generator<BlobForm> {
  if (form === null || typeof form !== 'object') return
  if (isBlobForm(form, sheetId)) yield form
  else for (const part of Object.values(form)) yield* findBlobForms(part, sheetId)
}

/** A record value may look the same; then an object is retained needlessly. */
const isBlobForm = (form: object, sheetId: string): form is BlobForm =>
  Array.isArray(form) &&
  (form[1] === 'd' || form[1] === 's') &&
  typeof form[0] === 'string' &&
  form[0].startsWith(`${sheetId}/`) &&
  Array.isArray(form[3])
