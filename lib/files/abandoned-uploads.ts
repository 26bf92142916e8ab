import { log } from '../core/log.ts'
import { Files } from '../entities/files.ts'
import { begin } from '../tx.ts'
import { removeFile } from './upload.ts'

/** @param environmentId limits the run to one environment @returns counts; the next run retries failures */
export async function removeAbandonedUploads(
  now: Date,
  shouldContinue: () => boolean,
  environmentId?: string,
): Promise<{ uploads: number; failed: number }> {
  const counts = { uploads: 0, failed: 0 }
  for await (const files of Files.listAbandonedUploads(now))
    for (const file of files) {
      if (!shouldContinue()) return counts
      if (environmentId !== undefined && file.environmentId !== environmentId) continue
      const tx = begin({ accountId: file.accountId, actorId: file.createdBy })
      removeFile(tx, file)
      try {
        await tx.commit()
        counts.uploads++
      } catch (error) {
        counts.failed++
        log.error('Failed to remove an abandoned upload', { fileId: file.id, error: error as Error })
      }
    }
  return counts
}
