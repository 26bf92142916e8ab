/** Takes away all a sheet's records have left in storage, once the sheet is gone. */
import { deletePrefix } from '../../objects/store.ts'
import { deleteBlobParts } from '../../table/blobs.ts'
import { deleteLog } from '../../table/log.ts'
import { allEntries } from '../log/history.ts'
import { objectPrefix, processStore, type Store } from '../log/store.ts'
import { blobsNamed } from './collect.ts'

/**
 * Removes blobs and log of a sheet nobody writes to any more. Repeatable: small blobs are found through the log, so they go
 * first, then the objects, then the log itself.
 */
export async function erase(sheetId: string, store: Store = processStore): Promise<void> {
  await deleteBlobParts(await smallBlobs(sheetId, store))
  await deletePrefix(objectPrefix(sheetId))
  await deleteLog(sheetId)
  store.states.delete(sheetId)
}

/** Blobs kept as items, of all the log ever named; none when an earlier run has got as far as the objects. */
async function smallBlobs(sheetId: string, store: Store): Promise<{ id: string; bytes: number }[]> {
  const found = new Map<string, number>()
  try {
    for await (const entries of allEntries(store, sheetId))
      for (const { entry, body } of entries)
        for (const [id, tier, , lengths] of blobsNamed([entry.r, body], sheetId))
          if (tier === 'd') found.set(id, sum(lengths))
  } catch (error) {
    if ((error as Error).name !== 'NoSuchKey') throw error
  }
  return [...found].map(([id, bytes]) => ({ id, bytes }))
}

const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0)
