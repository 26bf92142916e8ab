/** Requests that name an id, one for each id in the contracts. */

import { endpoints, operations } from '../../schemas/index.ts'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import type { Kind } from '../../schemas/kit/ids.ts'
import { buildExample, type ExampleRequest } from './call-example.ts'
import { formatLocation, getConfigIdLocations, getIdLocations, type IdLocation } from './id-locations.ts'

export type Ids = Record<string, string>

export const ID_OF: Partial<Record<Kind, string>> = {
  account: 'accountId',
  environment: 'environmentId',
  user: 'otherUserId',
  guest: 'guestId',
  actorRole: 'userRoleId',
  space: 'spaceId',
  workbook: 'workbookId',
  sheet: 'sheetId',
  record: 'recordId',
  commit: 'commitId',
  snapshot: 'snapshotId',
  clip: 'dataClipId',
  view: 'viewId',
  app: 'appId',
  constraint: 'constraintId',
  autobuild: 'autobuildId',
  file: 'fileId',
  job: 'jobId',
  event: 'eventId',
  agent: 'agentId',
  agentVersion: 'agentVersionId',
  agentUpload: 'uploadId',
  delivery: 'deliveryId',
  document: 'documentId',
  thread: 'threadId',
  message: 'messageId',
  proposal: 'proposalId',
  canvas: 'canvasId',
  canvasArea: 'canvasAreaId',
  program: 'programId',
  rule: 'mappingId',
  family: 'familyId',
  action: 'actionId',
  auditEntry: 'auditEntryId',
}

export const ID_AT: Record<string, string> = {
  'agents.removeRole params.actorRoleId': 'agentRoleId',
  'guests.removeRole params.actorRoleId': 'guestRoleId',
  'clips.resolutionIndex query.id': 'clipRecordId',
  'clips.resolve body.resolvedRecords.[].recordId': 'clipRecordId',
  'workbook:map body.config.sourceSheetId': 'otherSheetId',
  'workbook:map body.config.programId': 'fittingProgramId',
  'workbook:map body.config.recipeId': 'recipeId',
}

const SIDE = { name: 'Side', fields: [{ key: 'email', type: 'string' }] }

/** Rejected for its version: the fixture has no second record to merge. */
const mergeIntoUnknown = (): ExampleRequest => ({
  body: { merges: [{ keep: 'us_rc_01KJM5Z8Q4T7W9XA2BCDEFGH3J', remove: [] }], version: 0 },
})

export const BASES: Record<string, (ids: Ids) => ExampleRequest> = {
  'agents.create body.uploadId': () => ({ body: { slug: 'uploaded', topics: ['space:created'] } }),
  'agents.replay body': () => ({ body: { since: '2000-01-01T00:00:00Z' } }),
  'agents.replay body.eventIds': () => ({ body: {} }),
  'canvases.updateArea body.parentId': ({ otherAreaId }) => ({ params: { canvasAreaId: otherAreaId! } }),
  'clips.addRecords query.for': () => ({ query: {} }),
  'clips.addRecords body': () => ({ query: {} }),
  'events.create body.context.precedingEventId': ({ environmentId }) => ({
    body: { topic: 'listener:nudged', domain: 'listener', context: { environmentId }, payload: {} },
  }),
  'events.replay body': ({ environmentId }) => ({ body: { environmentId, since: '2000-01-01T00:00:00Z' } }),
  'events.replay body.eventIds': ({ environmentId }) => ({ body: { environmentId } }),
  'files.create body': ({ environmentId, spaceId }) => ({ body: { environmentId, spaceId } }),
  'guests.create body': (ids) => ({ body: guestOf(ids) }),
  'guests.create body.[]': (ids) => ({ body: [guestOf(ids)] }),
  'guests.update body.spaces': ({ spaceId }) => ({ body: { spaces: [{ id: spaceId }] } }),
  'invitations.create body': ({ guestId, spaceId }) => ({ body: { guestId, spaceId } }),
  'invitations.create body.[]': ({ guestId, spaceId }) => ({ body: [{ guestId, spaceId }] }),
  'jobs.create body.subject.id': ({ workbookId }) => ({
    body: { type: 'workbook', operation: 'submit', source: workbookId, subject: { type: 'resource' } },
  }),
  'quality.merge body.merges.[].remove': mergeIntoUnknown,
  'quality.previewMerge body.merges.[].remove': mergeIntoUnknown,
  'streams.readJsonl query.workbookId': () => ({ query: { sheetSlug: 'people' } }),
  'streams.writeJsonl query.workbookId': () => ({ query: { sheetSlug: 'people' } }),
  'subscriptions.get query.spaceId': () => ({ query: {} }),
  'workbooks.update body.sheets': () => ({ body: { sheets: [{ ...SIDE, slug: 'added' }] } }),
}
const guestOf = ({ environmentId, spaceId }: Ids) => ({
  environmentId,
  email: 'named@example.com',
  name: 'Named',
  spaces: [{ id: spaceId }],
})

/** Ids of the caller that are rejected there too, with the reason. May only shrink. */
export const NOT_TAKEN: Record<string, Partial<Record<Kind, string>>> = {
  'agents.assignRole body.resourceId': { account: 'agents have roles in their environment' },
  'guests.assignRole body.resourceId': { account: 'guests have spaces', environment: 'guests have spaces' },
}

interface Attack {
  name: string
  endpoint: Contract
  place: IdLocation
  base: (ids: Ids) => ExampleRequest
}

const endpointOf = (id: string): Contract => endpoints.find((endpoint) => endpoint.id === id)!
const baseFor = (name: string, endpoint: Contract): ((ids: Ids) => ExampleRequest) => {
  const key = Object.keys(BASES)
    .filter((each) => name === each || name.startsWith(`${each}.`))
    .toSorted((a, b) => b.length - a.length)[0]
  return (ids) => ({ ...buildExample(endpoint, ids), ...(key === undefined ? {} : BASES[key]!(ids)) })
}

const CONFIGS: Record<string, (ids: Ids) => object> = {
  'workbook:map': ({ sheetId, otherSheetId }) => ({ sourceSheetId: otherSheetId, destinationSheetId: sheetId }),
  'workbook:delete-records': ({ sheetId }) => ({ sheet: sheetId, filter: 'none', ids: [] }),
  'workbook:mutate-records': ({ sheetId }) => ({ sheetId, mutateRecord: '(record) => record', filter: 'none' }),
  'workbook:find-replace': ({ sheetId }) => ({ sheetId, fieldKey: 'email', find: 'nothing-has-this', replace: 'x' }),
  'workbook:edit-values': ({ sheetId }) => ({
    sheetId,
    edit: { type: 'replace', fieldKey: 'email', replacements: [{ from: 'nothing-has-this', to: 'x' }] },
  }),
  'sheet:export': () => ({ options: {} }),
  'workbook:export': () => ({ options: {} }),
  'file:extract': () => ({}),
  'agent:agent-export': () => ({ exportType: 'SOURCE' }),
}
const jobOf = (operation: string, ids: Ids): ExampleRequest => {
  const [type, name] = operation.split(':') as [string, string]
  return {
    body: {
      type,
      operation: name,
      source: ids[`${type}Id`],
      managed: true,
      trigger: 'manual',
      config: CONFIGS[operation]!(ids),
    },
  }
}

const ofEndpoints: Attack[] = endpoints
  .filter(({ policy }) => 'on' in policy)
  .flatMap((endpoint) =>
    getIdLocations(endpoint).map((place) => {
      const name = `${endpoint.id} ${formatLocation(place)}`
      return { name, endpoint, place, base: baseFor(name, endpoint) }
    }),
  )
const ofConfigs: Attack[] = operations.flatMap((operation) =>
  getConfigIdLocations(operation).map((place) => ({
    name: `${operation.name} ${formatLocation(place)}`,
    endpoint: endpointOf('jobs.create'),
    place,
    base: (ids: Ids) => jobOf(operation.name, ids),
  })),
)

const FREE_FORM: Attack[] = (
  [['jobs.create', 'body.subject.params.sheetId', 'sheet', { type: 'collection', resource: 'records' }]] as const
).map(([id, at, kind, subject]) => {
  const [part, ...path] = at.split('.') as [IdLocation['part'], ...string[]]
  const endpoint = endpointOf(id)
  const base = (ids: Ids): ExampleRequest => {
    const example = buildExample(endpoint, ids)
    return { ...example, body: { ...(example.body as object), subject } }
  }
  return { name: `${id} ${at}`, endpoint, place: { part, path, scope: { kinds: [kind], rejectsForeign: true } }, base }
})

export const ALL = [...ofEndpoints, ...ofConfigs, ...FREE_FORM]
export type Marked = Attack & { scope: { kinds: readonly Kind[]; rejectsForeign: boolean } }
export const marked = ALL.flatMap((attack): Marked[] => {
  const { scope } = attack.place
  return scope && 'kinds' in scope ? [{ ...attack, scope }] : []
})
