/** Uploads nobody completes: their files go, with what has arrived of them. */
import { log } from '../core/log.ts'
import { Files } from '../entities/files.ts'
import { begin } from '../tx.ts'
import { removeFile } from './upload.ts'

/**
 * Removes files whose upload was not completed in time.
 * @param only of this environment; of all without it
 * @returns how many are gone, and how many could not be removed: the next run tries those again
 */
export async function removeUnfinished(
  now: Date,
  goOn: () => boolean,
  only?: string,
): Promise<{ uploads: number; failed: number }> {
  const done = { uploads: 0, failed: 0 }
  for await (const files of Files.unfinished(now))
    for (const file of files) {
      if (!goOn()) return done
      if (only !== undefined && file.environmentId !== only) continue
      const tx = begin({ accountId: file.accountId, actorId: file.createdBy })
      removeFile(tx, file)
      try {
        await tx.commit()
        done.uploads++
      } catch (error) {
        done.failed++
        log.error('An unfinished upload was not removed', { fileId: file.id, error: error as Error })
      }
    }
  return done
}
