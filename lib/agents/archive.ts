/** An agent's code as a .tgz of one folder: its sources, or the bundle as it runs. Pure. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { packTar } from 'modern-tar'
import type { AgentExportType } from '../../schemas/agent.ts'
import type { StoredAgentVersion } from '../entities/agent-versions.ts'
import type { StoredAutobuild } from '../entities/autobuilds.ts'
import type { Bundle } from './package.ts'
import { sourcesIn } from './sources.ts'

export interface Exported {
  exportType: AgentExportType
  version: StoredAgentVersion
  bundle: Bundle
  /** Of the environment, where they go along. */
  autobuilds: StoredAutobuild[] | undefined
}

export interface Archive {
  bytes: Buffer
  /** How many. */
  files: number
  /** Does the source map have any? Without them the bundle stands in their place. */
  hasSources: boolean
}

const zip = promisify(gzip)
const BUNDLE = 'index.js'
const SOURCE_MAP = `${BUNDLE}.map`

export async function archiveOf({ exportType, version, bundle, autobuilds }: Exported): Promise<Archive> {
  const { files: sources, packageJson } = sourcesIn(bundle.sourceMap)
  const hasSources = sources.size > 0
  const code = exportType === 'SYSTEM_COMBINED' || !hasSources ? bundled(bundle) : sources
  const files = new Map([
    ...code,
    [
      'package.json',
      packageJson ?? text({ name: folderOf(version), version: `${version.version}.0.0`, private: true }),
    ],
    ['agent.json', text(settingsOf(version))],
    ...(autobuilds ? [['autobuilds.json', text(autobuilds.map(shownAutobuild))] as const] : []),
  ])
  const mtime = new Date(version.createdAt)
  const entries = [...files].map(([name, content]) => {
    const body = Buffer.from(content)
    return { header: { name: `${folderOf(version)}/${name}`, size: body.length, mode: 0o644, mtime }, body }
  })
  return { bytes: await zip(await packTar(entries)), files: files.size, hasSources }
}

const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function bundled({ source, sourceMap }: Bundle): Map<string, string> {
  if (!sourceMap) return new Map([[BUNDLE, source]])
  return new Map([
    [BUNDLE, `${source}\n//# sourceMappingURL=${SOURCE_MAP}\n`],
    [SOURCE_MAP, sourceMap],
  ])
}

/** A slug may be any text. */
const folderOf = ({ slug, agentId }: StoredAgentVersion): string =>
  slug.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '') || agentId

/** What it can be deployed with again. */
const settingsOf = (version: StoredAgentVersion) => {
  const { slug, namespace, topics, compiler, isSystem, options, packageVersions, commitInfo } = version
  return { slug, namespace, topics, compiler, isSystem, options, packageVersions, commitInfo }
}

const shownAutobuild = ({ appId, workbooks }: StoredAutobuild) => ({ appId, workbooks })
