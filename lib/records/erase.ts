/** Takes away all a sheet's records have left in storage, once the sheet is gone. */
import { deletePrefix } from '../objects/store.ts'
import { deleteBlobParts } from '../table/blobs.ts'
import { deleteLog } from '../table/log.ts'
import { entriesIn } from './history.ts'
import { sync } from './log.ts'
import { objectPrefix, processStore, type Store } from './store.ts'

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
    const state = await sync(store, sheetId)
    for (const { entry, body } of await entriesIn(store, state, 0)) {
      collect(entry.r, sheetId, found)
      collect(body, sheetId, found)
    }
  } catch (error) {
    if ((error as Error).name !== 'NoSuchKey') throw error
  }
  return [...found].map(([id, bytes]) => ({ id, bytes }))
}

/** Every `[id, 'd', layout, lengths]` in a stored form, wherever it stands. */
function collect(form: unknown, sheetId: string, found: Map<string, number>): void {
  if (form === null || typeof form !== 'object') return
  if (Array.isArray(form) && form[1] === 'd' && typeof form[0] === 'string' && form[0].startsWith(`${sheetId}/`)) {
    found.set(
      form[0],
      (form[3] as number[]).reduce((sum, length) => sum + length, 0),
    )
    return
  }
  for (const part of Object.values(form)) collect(part, sheetId, found)
}
