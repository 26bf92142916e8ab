/**
 * Garbage collection: objects of a sheet that nothing names. They are left by writers that died before their entry, and by
 * entries that were planned again. Every version stays readable, so whatever the log names stays.
 */
import { deleteObjects, listFolders, listObjects } from '../../objects/store.ts'
import { manifestReferences } from '../../table/log.ts'
import type { BlobForm } from '../log/entries.ts'
import { allEntries } from '../log/history.ts'
import { objectKey, objectPrefix, processStore, type Store } from '../log/store.ts'

export interface Collected {
  /** Deleted objects. */
  objects: number
  bytes: number
}

const DAY_MS = 86_400_000

/**
 * Deletes what no entry, body or manifest of the sheet's log names and what was stored before `olderThan`: by default a
 * day ago, far longer than any write takes from its first object to its entry. Small blobs, kept as items, are not listed
 * by sheet and stay until the sheet is erased.
 */
export async function collect(
  sheetId: string,
  options: { olderThan?: Date } = {},
  store: Store = processStore,
): Promise<Collected> {
  const olderThan = options.olderThan ?? new Date(Date.now() - DAY_MS)
  // Listed before the log is read: what a writer names meanwhile is seen.
  const old = new Map<string, number>()
  for await (const { key, size, lastModified } of listObjects(objectPrefix(sheetId)))
    if (lastModified < olderThan) old.set(key, size)
  if (old.size) for await (const id of namedBlobs(store, sheetId)) old.delete(objectKey(id))
  await deleteObjects([...old.keys()])
  return { objects: old.size, bytes: [...old.values()].reduce((sum, size) => sum + size, 0) }
}

/** Ids of the sheets that have objects. */
export const sheetsWithObjects = (): AsyncGenerator<string> => listFolders(objectKey(''))

/** Ids of all blobs a sheet's log ever named, some more than once. */
async function* namedBlobs(store: Store, sheetId: string): AsyncGenerator<string> {
  for await (const entries of allEntries(store, sheetId))
    for (const { entry, body } of entries) for (const [id] of blobsNamed([entry.r, body], sheetId)) yield id
  for (const reference of await manifestReferences(sheetId))
    for (const [id] of blobsNamed(JSON.parse(reference), sheetId)) yield id
}

/** Every blob in a stored form, wherever it stands. */
export function* blobsNamed(form: unknown, sheetId: string): Generator<BlobForm> {
  if (form === null || typeof form !== 'object') return
  if (isBlobForm(form, sheetId)) yield form
  else for (const part of Object.values(form)) yield* blobsNamed(part, sheetId)
}

/** A value of a record can look alike: then something is kept that need not be. */
const isBlobForm = (form: object, sheetId: string): form is BlobForm =>
  Array.isArray(form) &&
  (form[1] === 'd' || form[1] === 's') &&
  typeof form[0] === 'string' &&
  form[0].startsWith(`${sheetId}/`) &&
  Array.isArray(form[3])
