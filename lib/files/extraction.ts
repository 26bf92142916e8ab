/** Who extracts a file that has arrived: the platform, or a listener. */
import { setTimeout as delay } from 'node:timers/promises'
import { Agents } from '../entities/agents.ts'
import type { StoredFile } from '../entities/files.ts'
import { Jobs } from '../entities/jobs.ts'
import { Spaces } from '../entities/spaces.ts'
import { isListenedTo } from '../events/listening.ts'
import type { Write } from '../table/entity.ts'
import { claim, release } from '../table/unique.ts'
import type { Actor } from '../tx.ts'
import { setFile } from './extract/status.ts'
import { isExtracted, isPlatformsOwn, READ_KINDS, reasonUnread } from './names.ts'

const WHAT = 'file.extraction'
/** The platform extracts a file once, however often it is told of it: what it begins is written with this, ... */
export const extractionBegins = (fileId: string): Write => claim(WHAT, fileId, fileId)
/** ... which goes with the file. */
export const extractionForgotten = (fileId: string): Write => release(WHAT, fileId)

/** Where somebody listens live, a file is theirs to take for so long. */
export const LISTENER_MS = 5_000
/** A deployed agent has longer for a file that nothing else reads: its function may have to start first. */
export const AGENT_MS = 15_000

/** `listener`: the platform leaves the file alone. `none`: it cannot be read, and nobody took it. */
export type Extractor = 'platform' | 'listener' | 'none'

/**
 * The space's `settings.extraction` decides: `platform` or `listener`. Where it does not, CSV, TSV and PSV are the platform's, as
 * public listeners expect. Other formats are a deployed agent's if there is one that is told of new files (extractors are), a
 * live listener's if it makes a job of extracting the file within {@link LISTENER_MS}, otherwise the platform's. A file of a
 * format the platform does not read is theirs only if one of them takes it in time.
 */
export async function extractorOf(file: StoredFile): Promise<Extractor> {
  if (file.mode !== 'import') return 'listener'
  const { extraction } = (await Spaces.get(file.spaceId))?.settings ?? {}
  if (extraction === 'listener') return 'listener'
  const isRead = isExtracted(file)
  const otherwise = isRead ? 'platform' : 'none'
  if (extraction === 'platform' || isPlatformsOwn(file)) return otherwise
  const agents = await Agents.inEnvironment(file.environmentId)
  const hasAgent = agents.some(({ topics }) => topics.includes('file:created'))
  if (hasAgent && isRead) return 'listener'
  if (!hasAgent && !(await isListenedTo([file.environmentId, file.spaceId]))) return otherwise
  await delay(hasAgent ? AGENT_MS : LISTENER_MS)
  // Of a file the platform cannot read, any job of it is a listener's.
  return (await isTaken(file, isRead ? 'extract' : '')) ? 'listener' : otherwise
}

/** Public extractors make jobs of operations like `extract-plugin-excel`. */
async function isTaken({ id, spaceId }: StoredFile, operations: string): Promise<boolean> {
  const jobs = await Jobs.inSpace(spaceId)
  return jobs.some(
    ({ type, operation, source, fileId }) =>
      type === 'file' && operation.startsWith(operations) && (source === id || fileId === id),
  )
}

/** Ends a file nobody can read as failed, with the reason; one that a listener has changed meanwhile is left to it. */
export async function failUnread(actor: Actor, file: StoredFile): Promise<void> {
  const statusReason = `${file.name}: ${reasonUnread(file.ext)} Files that are read: ${READ_KINDS}.`
  const isUntouched = (now: StoredFile) => now.status === 'complete' && !now.workbookId && now.mode === 'import'
  await setFile({ file, actor }, { status: 'failed', statusReason }, isUntouched)
}
