/** Reads the code of an agent's running version from its stored package. */
import type { AgentCode } from '../../schemas/agents/shape.ts'
import type { StoredAgent } from '../entities/agents.ts'
import { loadBundle } from './package-store.ts'
import { getRunningVersion } from './running-version.ts'
import { extractSources } from './source-maps.ts'

const BUNDLE = 'index.js'

export async function readCode(agent: StoredAgent): Promise<AgentCode> {
  const { version, packageKey } = await getRunningVersion(agent)
  const { source, sourceMap } = await loadBundle(packageKey)
  const files = [...extractSources(sourceMap).files].map(([name, text]) => ({ name, text }))
  const isOriginal = files.length > 0
  return { version, isOriginal, files: isOriginal ? files : [{ name: BUNDLE, text: source }] }
}
