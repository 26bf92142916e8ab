/** Updates the file being extracted, retrying on conflicts with concurrent changes. */
import { ApiError } from '../../core/errors.ts'
import { Files, type StoredFile } from '../../entities/files.ts'
import { type Actor, begin } from '../../tx.ts'
import { updateFile } from '../update.ts'

export interface ExtractedFileContext {
  file: StoredFile
  actor: Actor
}

const MAX_ATTEMPTS = 5

/** Does nothing if nothing changes, the file is gone, or `shouldUpdate` rejects its current state. */
export async function updateExtractedFile(
  { file, actor }: ExtractedFileContext,
  changes: Parameters<typeof updateFile>[2],
  shouldUpdate: (current: StoredFile) => boolean = () => true,
  attempt = 1,
): Promise<void> {
  const current = await Files.get(file.id)
  if (!current || !shouldUpdate(current)) return
  const tx = begin(actor)
  updateFile(tx, current, changes)
  await tx.commit().catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'conflict' || attempt === MAX_ATTEMPTS) throw error
    return updateExtractedFile({ file, actor }, changes, shouldUpdate, attempt + 1)
  })
}
