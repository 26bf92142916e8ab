/** Builds an agent export: a .tgz of one folder with its sources, or with the bundle as it runs. Pure. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { packTar } from 'modern-tar'
import type { AgentExportType } from '../../schemas/agents/shape.ts'
import type { StoredAgentVersion } from '../entities/agent-versions.ts'
import type { StoredAutobuild } from '../entities/autobuilds.ts'
import type { Bundle } from './package.ts'
import { extractSources } from './source-maps.ts'

export interface ArchiveInput {
  exportType: AgentExportType
  version: StoredAgentVersion
  bundle: Bundle
  autobuilds: StoredAutobuild[] | undefined
}

export interface Archive {
  bytes: Buffer
  files: number
  hasSources: boolean
}

const gzipAsync = promisify(gzip)
const BUNDLE = 'index.js'
const SOURCE_MAP = `${BUNDLE}.map`

export async function buildArchive({ exportType, version, bundle, autobuilds }: ArchiveInput): Promise<Archive> {
  const { files: sources, packageJson } = extractSources(bundle.sourceMap)
  const hasSources = sources.size > 0
  const code = exportType === 'SYSTEM_COMBINED' || !hasSources ? listBundleFiles(bundle) : sources
  const files = new Map([
    ...code,
    [
      'package.json',
      packageJson ?? toJsonText({ name: getFolderName(version), version: `${version.version}.0.0`, private: true }),
    ],
    ['agent.json', toJsonText(pickSettings(version))],
    ...(autobuilds ? [['autobuilds.json', toJsonText(autobuilds.map(serializeAutobuild))] as const] : []),
  ])
  const mtime = new Date(version.createdAt)
  const entries = [...files].map(([name, content]) => {
    const body = Buffer.from(content)
    return { header: { name: `${getFolderName(version)}/${name}`, size: body.length, mode: 0o644, mtime }, body }
  })
  return { bytes: await gzipAsync(await packTar(entries)), files: files.size, hasSources }
}

const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function listBundleFiles({ source, sourceMap }: Bundle): Map<string, string> {
  if (!sourceMap) return new Map([[BUNDLE, source]])
  return new Map([
    [BUNDLE, `${source}\n//# sourceMappingURL=${SOURCE_MAP}\n`],
    [SOURCE_MAP, sourceMap],
  ])
}

const getFolderName = ({ slug, agentId }: StoredAgentVersion): string =>
  slug.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '') || agentId

const pickSettings = (version: StoredAgentVersion) => {
  const { slug, namespace, topics, compiler, isSystem, options, packageVersions, commitInfo } = version
  return { slug, namespace, topics, compiler, isSystem, options, packageVersions, commitInfo }
}

const serializeAutobuild = ({ appId, workbooks }: StoredAutobuild) => ({ appId, workbooks })
