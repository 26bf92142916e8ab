/** Resolves and checks the resources a new job names. They must be in the environment and space of its source. */
import type { CreateJob } from '../../../schemas/jobs/shape.ts'
import type { Kind } from '../../../schemas/kit/ids.ts'
import { message } from '../../../schemas/messages/index.ts'
import { loadScope, loadWithPermission, type Resource } from '../../auth/load-resource.ts'
import type { Principal } from '../../auth/principal.ts'
import { invalidField, type MissingKind, notFound } from '../../core/errors.ts'
import { parseKind } from '../../core/ids.ts'
import { Documents } from '../../entities/documents.ts'
import { Files } from '../../entities/files.ts'
import { Jobs } from '../../entities/jobs.ts'
import { Sheets, type StoredSheet } from '../../entities/sheets.ts'
import { Spaces, type StoredSpace, spaceNamespaces } from '../../entities/spaces.ts'
import { Workbooks } from '../../entities/workbooks.ts'

export interface JobLocation {
  environmentId: string
  spaceId?: string | undefined
}

export function getResourceLocation(resource: Resource): JobLocation {
  switch (resource.kind) {
    case 'space':
      return { environmentId: resource.space.environmentId, spaceId: resource.space.id }
    case 'workbook':
      return resource.workbook
    case 'sheet':
      return resource.sheet
    case 'file':
      return resource.file
    case 'document':
      return resource.document
    case 'agent':
      return resource.agent
  }
}

export const isInLocation = (location: JobLocation, other: JobLocation): boolean =>
  other.environmentId === location.environmentId &&
  (location.spaceId === undefined || other.spaceId === location.spaceId)

/** Throws 404 for a resource that is missing or elsewhere, 400 for another environment. */
export async function assertReferences(job: CreateJob, location: JobLocation): Promise<void> {
  if (job.environmentId !== undefined && job.environmentId !== location.environmentId) {
    throw invalidField('environmentId', message('jobs.notItsEnvironment'))
  }
  await Promise.all([
    assertExists('file', job.fileId, Files.get, location),
    assertExists('workbook', job.destination, Workbooks.get, location),
    assertExists('job', job.parentId, Jobs.get, location),
    ...getSubjectIds(job).map((id) => assertResourceExists(id, location)),
  ])
}

function getSubjectIds({ subject }: Pick<CreateJob, 'subject'>): string[] {
  if (subject?.type === 'resource') return [subject.id]
  const sheetId = subject?.params?.sheetId
  return typeof sheetId === 'string' ? [sheetId] : []
}

const LOADERS: Partial<Record<Kind & MissingKind, (id: string) => Promise<JobLocation | undefined>>> = {
  workbook: Workbooks.get,
  sheet: Sheets.get,
  file: Files.get,
  job: Jobs.get,
  document: Documents.get,
  space: async (id) => {
    const space = await Spaces.get(id)
    return space && { environmentId: space.environmentId, spaceId: space.id }
  },
}

/** Other ids, such as record ids, are validated by the listener. */
async function assertResourceExists(id: string, location: JobLocation): Promise<void> {
  const kind = parseKind(id) as keyof typeof LOADERS | undefined
  const load = kind && LOADERS[kind]
  if (load) await assertExists(kind, id, load, location)
}

const SPACE_KINDS = [
  'space',
  'workbook',
  'sheet',
  'commit',
  'snapshot',
  'view',
  'clip',
  'file',
  'job',
  'document',
] as const

/**
 * Jobs have more rights than their caller, so every id in the request must be visible to a caller limited to spaces.
 * Throws 404 otherwise. `ownPrograms` are those the job already names.
 */
export async function assertCanSeeAll(caller: Principal, request: unknown, ownPrograms: unknown[] = []): Promise<void> {
  const isLimitedToSpaces = caller.grants !== undefined || caller.spaceId !== undefined
  for (const id of new Set(collectStrings(withoutRecipes(request)))) {
    const kind = parseKind(id)
    const scope = isLimitedToSpaces ? SPACE_KINDS.find((candidate) => candidate === kind) : undefined
    if (scope) await loadScope(scope, caller, id)
    if (kind === 'program' && !ownPrograms.includes(id)) await loadWithPermission('program', caller, 'mapping:read', id)
  }
}

/** The operation checks who may use a recipe (lib/jobs/mapping/recipes.ts). */
function withoutRecipes(request: unknown): unknown {
  const { config, input, ...others } = (request ?? {}) as { config?: object; input?: object }
  return { ...others, config: { ...config, recipeId: undefined }, input: { ...input, recipeId: undefined } }
}

function collectStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, nested]) => [key, ...collectStrings(nested)])
}

async function assertExists(
  kind: MissingKind,
  id: string | undefined,
  load: (id: string) => Promise<JobLocation | undefined>,
  location: JobLocation,
): Promise<void> {
  if (id === undefined) return
  const resource = await load(id)
  if (!resource || !isInLocation(location, resource)) throw notFound(kind, id)
}

export async function getJobSheet(location: JobLocation, sheetId: string): Promise<StoredSheet> {
  const sheet = await Sheets.get(sheetId)
  if (!sheet || location.spaceId === undefined || !isInLocation(location, sheet)) throw notFound('sheet', sheetId)
  return sheet
}

export async function getTargetSheet(
  { source }: { source: string },
  location: JobLocation,
  sheetId: string | undefined,
): Promise<StoredSheet> {
  const targetSheetId = sheetId ?? (parseKind(source) === 'sheet' ? source : undefined)
  if (targetSheetId === undefined) throw invalidField('config.sheetId', message('jobs.sheetRequired'))
  return getJobSheet(location, targetSheetId)
}

export async function getNamespaces(resource: Resource, knownSpace?: StoredSpace): Promise<string[]> {
  if (resource.kind === 'agent') return []
  if (resource.kind === 'space') return spaceNamespaces(resource.space)
  if (resource.kind === 'sheet') return resource.sheet.namespaces ?? []
  const { spaceId } = getResourceLocation(resource)
  const space = knownSpace ?? (spaceId === undefined ? undefined : await Spaces.get(spaceId))
  const ownNamespaces =
    resource.kind === 'workbook' && resource.workbook.namespace ? [`workbook:${resource.workbook.namespace}`] : []
  return [...(space ? spaceNamespaces(space) : []), ...ownNamespaces]
}
