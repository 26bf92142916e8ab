/** Who extracts a file that has arrived: the platform, or a listener. */
import { setTimeout as delay } from 'node:timers/promises'
import { Agents } from '../entities/agents.ts'
import type { StoredFile } from '../entities/files.ts'
import { Jobs } from '../entities/jobs.ts'
import { Spaces } from '../entities/spaces.ts'
import { isListenedTo } from '../events/listening.ts'
import type { Write } from '../table/entity.ts'
import { claim, release } from '../table/unique.ts'
import { isExtracted, isPlatformsOwn } from './names.ts'

const WHAT = 'file.extraction'
/** The platform extracts a file once, however often it is told of it: what it begins is written with this, ... */
export const extractionBegins = (fileId: string): Write => claim(WHAT, fileId, fileId)
/** ... which goes with the file. */
export const extractionForgotten = (fileId: string): Write => release(WHAT, fileId)

/** Where somebody listens live, a file is theirs to take for so long. */
export const LISTENER_MS = 5_000

/**
 * The space's `settings.extraction` decides: `platform` or `listener`. Where it does not, CSV, TSV and PSV are the platform's, as
 * public listeners expect. Other formats are a deployed agent's if there is one that is told of new files (extractors are), a
 * live listener's if it makes a job of extracting the file within {@link LISTENER_MS}, otherwise the platform's.
 */
export async function isForPlatform(file: StoredFile): Promise<boolean> {
  if (file.mode !== 'import' || !isExtracted(file)) return false
  const space = await Spaces.get(file.spaceId)
  const { extraction } = space?.settings ?? {}
  if (extraction === 'listener') return false
  if (extraction === 'platform' || isPlatformsOwn(file)) return true
  const agents = await Agents.inEnvironment(file.environmentId)
  if (agents.some(({ topics }) => topics.includes('file:created'))) return false
  if (!(await isListenedTo([file.environmentId, file.spaceId]))) return true
  await delay(LISTENER_MS)
  return !(await isTaken(file))
}

/** Public extractors make jobs of operations like `extract-plugin-excel`. */
async function isTaken({ id, spaceId }: StoredFile): Promise<boolean> {
  const jobs = await Jobs.inSpace(spaceId)
  return jobs.some(
    ({ type, operation, source, fileId }) =>
      type === 'file' && operation.startsWith('extract') && (source === id || fileId === id),
  )
}
