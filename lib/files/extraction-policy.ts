/** Chooses whether the platform or a listener extracts a new file. */

import { setTimeout as sleep } from 'node:timers/promises'
import { message } from '../../schemas/messages/index.ts'
import { Agents, getCalledTopics } from '../entities/agents.ts'
import type { StoredFile } from '../entities/files.ts'
import { Jobs } from '../entities/jobs.ts'
import { Spaces } from '../entities/spaces.ts'
import { hasLiveListener } from '../events/live-listeners.ts'
import { claimUnique, findOwner, releaseUnique } from '../table/unique-names.ts'
import type { Write } from '../table/write.ts'
import type { Actor } from '../tx.ts'
import { updateExtractedFile } from './extract/status.ts'
import { explainUnsupported, isAlwaysExtracted, isExtractable } from './file-types.ts'

const EXTRACTION_CLAIM = 'file.extraction'
/** Claims the extraction of a file; a second delivery of the event loses. */
export const claimExtraction = (fileId: string): Write => claimUnique(EXTRACTION_CLAIM, fileId, fileId)
export const releaseExtraction = (fileId: string): Write => releaseUnique(EXTRACTION_CLAIM, fileId)

export const isExtractionClaimed = async (fileId: string): Promise<boolean> =>
  (await findOwner(EXTRACTION_CLAIM, fileId)) !== undefined

export const LISTENER_CLAIM_MS = 5_000
/** Longer for an agent, whose function may need a cold start. */
export const AGENT_CLAIM_MS = 15_000

/** `listener`: the platform leaves the file to it. `none`: the format is unsupported and no listener claimed it. */
export type Extractor = 'platform' | 'listener' | 'none'

/**
 * Follows the space's `settings.extraction`; by default the platform extracts CSV, TSV and PSV. Other formats go to a
 * subscribed agent, to a live listener that creates a job within {@link LISTENER_CLAIM_MS}, otherwise to the platform.
 * An unsupported file goes to an agent or listener only if it creates a job in time.
 */
export async function chooseExtractor(file: StoredFile): Promise<Extractor> {
  if (file.mode !== 'import') return 'listener'
  const { extraction } = (await Spaces.get(file.spaceId))?.settings ?? {}
  if (extraction === 'listener') return 'listener'
  const isSupported = isExtractable(file)
  const fallback = isSupported ? 'platform' : 'none'
  if (extraction === 'platform' || isAlwaysExtracted(file)) return fallback
  const agents = await Agents.inEnvironment(file.environmentId)
  const hasAgent = agents.some((agent) => getCalledTopics(agent).includes('file:created'))
  if (hasAgent && isSupported) return 'listener'
  if (!hasAgent && !(await hasLiveListener([file.environmentId, file.spaceId]))) return fallback
  await sleep(hasAgent ? AGENT_CLAIM_MS : LISTENER_CLAIM_MS)
  return (await hasListenerJob(file, isSupported ? 'extract' : '')) ? 'listener' : fallback
}

/** Public extractors use operations such as `extract-plugin-excel`. */
async function hasListenerJob({ id, spaceId }: StoredFile, operationPrefix: string): Promise<boolean> {
  const jobs = await Jobs.inSpace(spaceId)
  return jobs.some(
    ({ type, operation, source, fileId }) =>
      type === 'file' && operation.startsWith(operationPrefix) && (source === id || fileId === id),
  )
}

/** Fails an unsupported file, unless a listener has changed it meanwhile. */
export async function failUnsupported(actor: Actor, file: StoredFile): Promise<void> {
  const reason = message('files.supportedTypes', { explanation: explainUnsupported(file.ext) })
  const statusReason = message('files.reason', { file: file.name, reason })
  const isUntouched = (current: StoredFile) =>
    current.status === 'complete' && !current.workbookId && current.mode === 'import'
  await updateExtractedFile({ file, actor }, { status: 'failed', statusReason }, isUntouched)
}
