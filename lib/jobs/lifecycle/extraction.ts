import { message } from '../../../schemas/messages/index.ts'
import { conflict } from '../../core/errors.ts'
import { Files, type StoredFile } from '../../entities/files.ts'
import { Jobs } from '../../entities/jobs.ts'
import { Spaces } from '../../entities/spaces.ts'
import { claimExtraction, isExtractionClaimed } from '../../files/extraction-policy.ts'
import type { Tx } from '../../tx.ts'
import { createJob } from './create.ts'
import { isEnded } from './state-machine.ts'

/** Events can be delivered twice: the second delivery loses the claim, and so its job. */
export function extractOnce(tx: Tx, file: StoredFile): void {
  tx.write(Files.assertExists(file.id), claimExtraction(file.id))
  createExtraction(tx, file)
}

const createExtraction = (tx: Tx, file: StoredFile): void =>
  void createJob(
    tx,
    { type: 'file', operation: 'extract', source: file.id, trigger: 'immediate', mode: 'foreground' },
    { kind: 'file', file },
  )

export async function planExtractionAgain({ id, spaceId, mode }: StoredFile): Promise<typeof extractOnce> {
  const [space, jobs, isClaimed] = await Promise.all([
    Spaces.get(spaceId),
    Jobs.inSpace(spaceId),
    isExtractionClaimed(id),
  ])
  const isReading = jobs.some(
    ({ type, operation, source, status }) =>
      type === 'file' && operation === 'extract' && source === id && !isEnded(status),
  )
  if (isReading) throw conflict(message('files.stillReading'), { headers: { 'retry-after': '1' } })
  const isLeftToListeners = space?.settings?.extraction === 'listener' || mode !== 'import'
  return (tx, file) => {
    if (isLeftToListeners) return
    // Otherwise the handler of the upload may be about to extract the file, too.
    if (!isClaimed) tx.write(claimExtraction(id))
    createExtraction(tx, file)
  }
}
