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

/** Tells of the change; nothing when nothing changes or the file is gone. */
export async function setFile(
  { file, actor }: Extracting,
  changes: Parameters<typeof updateFile>[2],
  attempt = 1,
): Promise<void> {
  const current = await Files.get(file.id)
  if (!current) return
  const tx = begin(actor)
  updateFile(tx, current, changes)
  await tx.commit().catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'conflict' || attempt === ATTEMPTS) throw error
    return setFile({ file, actor }, changes, attempt + 1)
  })
}
