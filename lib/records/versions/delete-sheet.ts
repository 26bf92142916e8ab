/** Deletes all stored data of a deleted sheet's records. */
import { deletePrefix } from '../../objects/store.ts'
import { deleteBlobParts } from '../../table/blobs.ts'
import { deleteLog } from '../../table/record-log.ts'
import { readAllEntries } from '../log/read-entries.ts'
import { formatObjectPrefix, processStore, type Store } from '../log/store.ts'
import { findBlobForms } from './garbage-collect.ts'

/** The sheet must have no writers. Repeatable: small blobs are found through the log, so the log is deleted last. */
export async function deleteSheetData(sheetId: string, store: Store = processStore): Promise<void> {
  await deleteBlobParts(await findSmallBlobs(sheetId, store))
  await deletePrefix(formatObjectPrefix(sheetId))
  await deleteLog(sheetId)
  store.states.delete(sheetId)
}

/** Log objects are missing if an earlier run already deleted the small blobs. */
async function findSmallBlobs(sheetId: string, store: Store): Promise<{ id: string; bytes: number }[]> {
  const bytesById = new Map<string, number>()
  try {
    for await (const entries of readAllEntries(store, sheetId))
      for (const { entry, body } of entries)
        for (const [id, tier, , lengths] of findBlobForms([entry.r, body], sheetId))
          if (tier === 'd') bytesById.set(id, sumLengths(lengths))
  } catch (error) {
    if ((error as Error).name !== 'NoSuchKey') throw error
  }
  return [...bytesById].map(([id, bytes]) => ({ id, bytes }))
}

const sumLengths = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0)
