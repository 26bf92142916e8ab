/** Changes the file being extracted, as it is now: others may change it meanwhile. */
import { ApiError } from '../../core/errors.ts'
import { Files, type StoredFile } from '../../entities/files.ts'
import { type Actor, begin } from '../../tx.ts'
import { updateFile } from '../update.ts'

export interface Extracting {
  file: StoredFile
  actor: Actor
}

const ATTEMPTS = 5

/** Tells of the change; nothing when nothing changes, the file is gone, or `isMeant` says no to the file as it is now. */
export async function setFile(
  { file, actor }: Extracting,
  changes: Parameters<typeof updateFile>[2],
  isMeant: (current: StoredFile) => boolean = () => true,
  attempt = 1,
): Promise<void> {
  const current = await Files.get(file.id)
  if (!current || !isMeant(current)) return
  const tx = begin(actor)
  updateFile(tx, current, changes)
  await tx.commit().catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'conflict' || attempt === ATTEMPTS) throw error
    return setFile({ file, actor }, changes, isMeant, attempt + 1)
  })
}
