import { Files, type StoredFile } from '../../entities/files.ts'
import { retryOnConflict } from '../../table/transact.ts'
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
): Promise<void> {
  await retryOnConflict(MAX_ATTEMPTS, async () => {
    const current = await Files.get(file.id)
    if (!current || !shouldUpdate(current)) return
    const tx = begin(actor)
    updateFile(tx, current, changes)
    await tx.commit()
  })
}
