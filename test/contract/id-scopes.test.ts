/**
 * Every id in a request is loaded through the caller's scope: an existing id of another account, or of another space
 * for a guest, gets the same response as a nonexistent id, changes nothing and emits nothing.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { GUEST_ROLES } from '../../schemas/access.ts'
import type { Contract } from '../../schemas/endpoint.ts'
import type { Kind } from '../../schemas/ids.ts'
import { endpoints, operations } from '../../schemas/index.ts'
import { type ApiResponse, createCaller } from '../support/api.ts'
import { buildExample, type ExampleRequest, sendRequest } from '../support/call-example.ts'
import { createFixture, type Fixture } from '../support/fixture.ts'
import { createUnknownId } from '../support/foreign.ts'
import {
  formatLocation,
  getConfigIdLocations,
  getIdLocations,
  type IdLocation,
  setAt,
} from '../support/id-locations.ts'
import { createSpaceFixture, extendFixture } from '../support/space-fixture.ts'

type Ids = Record<string, string>

const ID_OF: Partial<Record<Kind, string>> = {
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
  canvas: 'canvasId',
  canvasArea: 'canvasAreaId',
  program: 'programId',
  rule: 'mappingId',
  family: 'familyId',
  action: 'actionId',
  auditEntry: 'auditEntryId',
}

const ID_AT: Record<string, string> = {
  'agents.removeRole params.actorRoleId': 'agentRoleId',
  'guests.removeRole params.actorRoleId': 'guestRoleId',
  'clips.resolutionIndex query.id': 'clipRecordId',
  'clips.resolve body.resolvedRecords.[].recordId': 'clipRecordId',
  'workbook:map body.config.sourceSheetId': 'otherSheetId',
  'workbook:map body.config.programId': 'fittingProgramId',
}

const SIDE = { name: 'Side', fields: [{ key: 'email', type: 'string' }] }

const BASES: Record<string, (ids: Ids) => ExampleRequest> = {
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
const NOT_TAKEN: Record<string, Partial<Record<Kind, string>>> = {
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

const ALL = [...ofEndpoints, ...ofConfigs, ...FREE_FORM]
type Marked = Attack & { scope: { kinds: readonly Kind[]; rejectsForeign: boolean } }
const marked = ALL.flatMap((attack): Marked[] => {
  const { scope } = attack.place
  return scope && 'kinds' in scope ? [{ ...attack, scope }] : []
})

describe('every id in a request', () => {
  it('is marked in its schema', () => {
    const unmarked = ALL.filter(({ place }) => place.scope === undefined).map(
      ({ name }) =>
        `${name} is an id, or called like one, and not marked: make it scoped('<kind>') and load it with loadScope, narrowing('<kind>') where it is looked up among what the request reaches, or free('<reason>') (schemas/ids.ts)`,
    )
    expect(unmarked).toEqual([])
  })

  it('is of a kind that the tests have an id for', () => {
    const kinds = new Set(marked.flatMap(({ scope }) => scope.kinds))
    expect([...kinds].filter((kind) => !(kind in ID_OF))).toEqual([])
  })

  it('has a test request only where there is such a location', () => {
    const names = ALL.map(({ name }) => name)
    const used = (key: string) => names.some((name) => name === key || name.startsWith(`${key}.`))
    expect(
      [...Object.keys(BASES), ...Object.keys(ID_AT), ...Object.keys(NOT_TAKEN)].filter((key) => !used(key)),
    ).toEqual([])
  })
})

const withId = ({ base, place, scope: _ }: Marked, ids: Ids, id: string): ExampleRequest => {
  const request = base(ids)
  const isList = place.part === 'query' && /Ids$|^ids$/.test(place.path.at(-1)!)
  return { ...request, [place.part]: setAt(request[place.part], place.path, isList ? [id] : id) }
}

const neutralize = ({ status, body }: ApiResponse, id: string): string =>
  `${status} ${JSON.stringify(body)}`
    .replaceAll(id, '<id>')
    .replace(/(us_[a-z]+)_[0-9A-Z]{10,}(_\d+)?/g, '$1')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/eyJ[\w.-]+/g, '<token>')

let victim: Fixture
let attacker: Fixture
let otherSpace: { ids: Ids; guest: string }

beforeAll(async () => {
  victim = await extendFixture(await createFixture())
  attacker = await extendFixture(await createFixture())
  otherSpace = await createSpaceFixture(victim)
}, 120_000)

const idFor = ({ name, place }: Marked, kind: Kind, ids: Ids): string => {
  if (kind === 'event' && /^for/.test(place.path.at(-1)!)) return ids.sheetEventId!
  return ids[ID_AT[name] ?? ID_OF[kind]!]!
}

function foreignIds(attack: Marked, theirs: Ids): { kind: Kind; foreign: string; nothing: string }[] {
  return attack.scope.kinds.map((kind) => {
    const foreign = idFor(attack, kind, theirs)
    const nothing =
      kind === 'commit' ? foreign.replace(/.(?=_\d+$)/, (last) => (last === 'Z' ? 'Y' : 'Z')) : createUnknownId(foreign)
    return { kind, foreign, nothing }
  })
}

async function expectSameAnswer(attack: Marked, token: string, ids: Ids, theirs: Ids): Promise<void> {
  for (const { kind, foreign, nothing } of foreignIds(attack, theirs)) {
    const hidden = await sendRequest(attack.endpoint, token, withId(attack, ids, foreign))
    const missing = await sendRequest(attack.endpoint, token, withId(attack, ids, nothing))
    const where = `${attack.name} with a foreign ${kind}`
    if (attack.scope.rejectsForeign) {
      expect([400, 403, 404], `${where} is taken: ${JSON.stringify(hidden.body).slice(0, 300)}`).toContain(
        hidden.status,
      )
    }
    expect(neutralize(hidden, foreign), where).toBe(neutralize(missing, nothing))
  }
}

async function expectTaken(attack: Marked, { token, account, ids }: Fixture): Promise<void> {
  for (const kind of attack.scope.kinds.filter((each) => !NOT_TAKEN[attack.name]?.[each])) {
    const own = idFor(attack, kind, ids)
    const byPerson = await sendRequest(attack.endpoint, token, withId(attack, ids, own))
    const answer =
      byPerson.status === 403
        ? await sendRequest(attack.endpoint, account.secretKey, withId(attack, ids, own))
        : byPerson
    expect(
      [200, 302, 307, 409],
      `${attack.name} with the caller's own ${kind} is refused, which proves nothing of foreign ones: give a request for it in BASES. ${JSON.stringify(answer.body).slice(0, 400)}`,
    ).toContain(answer.status)
  }
}

const eventsOf = async (token: string, query: string): Promise<string[]> => {
  const path = `/events?${query}&includeAcknowledged=true&pageSize=1000`
  return (await createCaller(token)('GET', path)).body.data.map(
    ({ id, topic }: { id: string; topic: string }) => `${topic} ${id}`,
  )
}

function groupByEndpoint(attacks: Marked[]): [string, Marked[]][] {
  const groups = new Map<string, Marked[]>()
  for (const attack of attacks) {
    const name = attack.name.split(' ')[0]!
    groups.set(name, [...(groups.get(name) ?? []), attack])
  }
  return [...groups]
}

describe('an existing id of another account', () => {
  describe.each(groupByEndpoint(marked))('%s', (_, attacks) => {
    it.each(attacks.map((attack) => [formatLocation(attack.place), attack] as const))(
      'in %s behaves like a nonexistent id, and changes nothing',
      async (_place, attack) => {
        const before = await eventsOf(victim.token, `environmentId=${victim.ids.environmentId}`)
        for (const token of [attacker.token, attacker.account.secretKey])
          await expectSameAnswer(attack, token, attacker.ids, victim.ids)
        expect(await eventsOf(victim.token, `environmentId=${victim.ids.environmentId}`)).toEqual(before)
        if (attack.endpoint.method !== 'DELETE') await expectTaken(attack, attacker)
      },
    )
  })
})

describe('an existing id of another space, named by a guest', () => {
  const admits = ({ policy }: Contract) =>
    'can' in policy && (GUEST_ROLES.singleSpaceGuest as readonly string[]).includes(policy.can)
  const above: readonly Kind[] = ['account', 'environment']
  const elsewhere = marked
    .filter(({ endpoint }) => admits(endpoint))
    .map((attack) => ({
      ...attack,
      scope: { ...attack.scope, kinds: attack.scope.kinds.filter((kind) => !above.includes(kind)) },
    }))
    .filter(({ scope }) => scope.kinds.length > 0)

  describe.each(groupByEndpoint(elsewhere))('%s', (_, attacks) => {
    it.each(attacks.map((attack) => [formatLocation(attack.place), attack] as const))(
      'in %s behaves like a nonexistent id, and changes nothing',
      async (_place, attack) => {
        const before = await eventsOf(victim.token, `spaceId=${victim.ids.spaceId}`)
        await expectSameAnswer(attack, otherSpace.guest, otherSpace.ids, victim.ids)
        expect(await eventsOf(victim.token, `spaceId=${victim.ids.spaceId}`)).toEqual(before)
      },
    )
  })
})
