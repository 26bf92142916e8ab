/** What a new job names beside its source must live where the source lives; anything else does not exist for it. */
import type { Kind } from '../../schemas/ids.ts'
import type { CreateJob } from '../../schemas/job.ts'
import type { Principal } from '../auth/principal.ts'
import { loadNamed, loadScope, type Resource } from '../auth/scopes.ts'
import { invalidField, notFound } from '../core/errors.ts'
import { kindOf } from '../core/ids.ts'
import { Documents } from '../entities/documents.ts'
import { Files } from '../entities/files.ts'
import { Jobs } from '../entities/jobs.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import { Spaces, type StoredSpace, spaceNamespaces } from '../entities/spaces.ts'
import { Workbooks } from '../entities/workbooks.ts'

/** Where a job lives. */
export interface JobPlace {
  environmentId: string
  spaceId?: string | undefined
}

export function placeOfResource(resource: Resource): JobPlace {
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

export const isIn = (place: JobPlace, thing: JobPlace): boolean =>
  thing.environmentId === place.environmentId && (place.spaceId === undefined || thing.spaceId === place.spaceId)

/** Throws 404 for a file, workbook, parent job or subject that is missing or lives elsewhere, 400 for another environment. */
export async function checkReferences(job: CreateJob, place: JobPlace): Promise<void> {
  if (job.environmentId !== undefined && job.environmentId !== place.environmentId) {
    throw invalidField('environmentId', "is not the environment of the job's source; leave it out")
  }
  await Promise.all([
    exists('file', job.fileId, Files.get, place),
    exists('workbook', job.destination, Workbooks.get, place),
    exists('job', job.parentId, Jobs.get, place),
    ...subjectsOf(job).map((id) => isThere(id, place)),
  ])
}

/** What the job is about beside its source. */
function subjectsOf({ subject }: Pick<CreateJob, 'subject'>): string[] {
  if (subject?.type === 'resource') return [subject.id]
  const sheetId = subject?.params?.sheetId
  return typeof sheetId === 'string' ? [sheetId] : []
}

const GET: Partial<Record<Kind, (id: string) => Promise<JobPlace | undefined>>> = {
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

/** Ids of other kinds, such as records, are for the listener to judge. */
async function isThere(id: string, place: JobPlace): Promise<void> {
  const kind = kindOf(id)
  const get = kind && GET[kind]
  if (get) await exists(kind, id, get, place)
}

const NAMED = ['space', 'workbook', 'sheet', 'commit', 'snapshot', 'view', 'clip', 'file', 'job', 'document'] as const

/**
 * A job is performed with the rights of the platform, a listener or an agent: a caller who lives in spaces may not have it
 * work beyond them. Everything that the request names, wherever it names it, must be within the caller's reach, and a
 * program one that the caller may read. Throws 404 for what is not.
 * @param ownPrograms the programs that the job names already, at the place where the request does
 */
export async function checkReach(caller: Principal, request: unknown, ownPrograms: unknown[] = []): Promise<void> {
  const livesInSpaces = caller.grants !== undefined || caller.spaceId !== undefined
  for (const id of new Set(textsIn(request))) {
    const kind = kindOf(id)
    const scope = livesInSpaces ? NAMED.find((each) => each === kind) : undefined
    if (scope) await loadScope(scope, caller, id)
    if (kind === 'program' && !ownPrograms.includes(id)) await loadNamed('program', caller, 'mapping:read', id)
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)])
}

async function exists(
  kind: string,
  id: string | undefined,
  get: (id: string) => Promise<JobPlace | undefined>,
  place: JobPlace,
): Promise<void> {
  if (id === undefined) return
  const found = await get(id)
  if (!found || !isIn(place, found)) throw notFound(kind, id)
}

/** A sheet a job names in its configuration. Throws 404 when it is missing or lives elsewhere. */
export async function sheetOfJob(place: JobPlace, sheetId: string): Promise<StoredSheet> {
  const sheet = await Sheets.get(sheetId)
  if (!sheet || place.spaceId === undefined || !isIn(place, sheet)) throw notFound('sheet', sheetId)
  return sheet
}

/**
 * What listeners of events about it filter by: its namespaces and those of what it lives in.
 * @param known its space, where that is at hand
 */
export async function namespacesOf(resource: Resource, known?: StoredSpace): Promise<string[]> {
  if (resource.kind === 'agent') return []
  if (resource.kind === 'space') return spaceNamespaces(resource.space)
  if (resource.kind === 'sheet') return resource.sheet.namespaces ?? []
  const { spaceId } = placeOfResource(resource)
  const space = known ?? (spaceId === undefined ? undefined : await Spaces.get(spaceId))
  const own =
    resource.kind === 'workbook' && resource.workbook.namespace ? [`workbook:${resource.workbook.namespace}`] : []
  return [...(space ? spaceNamespaces(space) : []), ...own]
}
