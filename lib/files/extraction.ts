/** Who extracts a file that has arrived: the platform, or a listener. */
import { Agents } from '../entities/agents.ts'
import type { StoredFile } from '../entities/files.ts'
import { Spaces } from '../entities/spaces.ts'
import { isExtracted, isPlatformsOwn } from './names.ts'

/**
 * The space's `settings.extraction` decides: `platform` or `listener`. Where it does not, CSV and TSV are the platform's, as
 * public listeners expect; other formats are a deployed agent's if there is one that is told of new files (extractors are),
 * otherwise the platform's.
 */
export async function isForPlatform(file: StoredFile): Promise<boolean> {
  if (file.mode !== 'import' || !isExtracted(file)) return false
  const space = await Spaces.get(file.spaceId)
  const { extraction } = space?.settings ?? {}
  if (extraction === 'listener') return false
  if (extraction === 'platform' || isPlatformsOwn(file)) return true
  const agents = await Agents.inEnvironment(file.environmentId)
  return !agents.some(({ topics }) => topics.includes('file:created'))
}
