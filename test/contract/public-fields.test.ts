/** Every property of the public SDK is accepted or rejected by name, and returned or listed here with the reason. */
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import { publicOperations } from '../../schemas/public-operations.ts'
import { buildEndpointLookup } from '../../scripts/reference/coverage.ts'
import { createCaller, getServer } from '../support/api.ts'
import { createFixture, type Fixture, fillExample } from '../support/fixture.ts'
import { findUnnamedParameters, findUnnamedProperties, getPropertyNames, OPERATIONS } from './public-fields.ts'
import { SDK_REQUESTS } from './sdk-requests.ts'

const served = buildEndpointLookup(endpoints)
const operations = publicOperations.flatMap((operation) => {
  const of = OPERATIONS.get(operation.name)
  return of ? [{ ...of, name: operation.name, contract: served(operation)! }] : []
})

let own: Fixture
beforeAll(async () => {
  getServer()
  own = await createFixture()
}, 240_000)

const LEFT_AS_IT_IS = ['commitId', 'messages', 'valid', 'versionId'].map((name) => `Record_.${name}`)

const HOSTED = 'of a hosted service: its domains, billing and mail'
const NO_TEMPLATES = 'nothing is copied from templates that go on changing what was made of them'
const GONE = 'what is deleted is gone: nothing shows it'
const LARGE = 'megabytes: POST /jobs with agent:agent-export gives them'
const OF_VALUES =
  'values are told apart from each other, whichever cells they stand in: those have states, these have none'
const OF_CELLS = 'cells of records read by pages are bytes copied from columns: test/api/records.test.ts reads them'

/** Properties that are not returned, with the reason. May only shrink. */
const NOT_SHOWN: { [property: string]: string } = {
  ...Object.fromEntries(
    [
      'customFromEmail',
      'dashboard',
      'embeddedDomainWhitelist',
      'primaryDomain',
      'stripeCustomerId',
      'vanityDomainDashboard',
      'vanityDomainSpaces',
    ].map((name) => [`Account.${name}`, HOSTED]),
  ),
  ...Object.fromEntries(
    ['Agent', 'Document', 'Sheet', 'Space', 'Workbook'].flatMap((type) => [
      [`${type}.createdFrom`, NO_TEMPLATES],
      [`${type}.lastPropagatedAt`, NO_TEMPLATES],
    ]),
  ),
  'Agent.source': LARGE,
  'Agent.sourceMap': LARGE,
  'AgentVersion.source': LARGE,
  'AgentVersion.sourceMap': LARGE,
  'Agent.template': 'refused: agents are made of their own source',
  'Agent.templateOptions': 'refused: agents are made of their own source',
  'AgentVersion.template': 'refused: agents are made of their own source',
  'AgentVersion.templateOptions': 'refused: agents are made of their own source',
  'AgentExport.deletedAt': GONE,
  'ApiKey.deletedAt': GONE,
  'App.deletedAt': GONE,
  'CanvasArea.deletedAt': GONE,
  'DataClip.deletedAt': GONE,
  'GenericEvent.deletedAt': GONE,
  'ApiKey.secret': 'the older name of rawKey',
  'ApiKey.updatedAt': 'a key is never changed',
  ...Object.fromEntries(
    ['CellValueWithCounts', 'CellValueWithCountsDeprecated'].flatMap((type) =>
      ['layer', 'messages', 'metadata', 'updatedAt', 'valid'].map((name) => [`${type}.${name}`, OF_VALUES]),
    ),
  ),
  ...Object.fromEntries(
    ['layer', 'links', 'metadata', 'updatedAt'].map((name) => [`CellValueWithLinks.${name}`, OF_CELLS]),
  ),
  'RecordWithLinks.messages': 'dead in the SDK: messages stand at their cells',
  'ConstraintVersionResource.prompt': 'of a hosted service: constraints written by a language model',
  'DataClip.accessToken': 'guests come in by guestLinkUrl, with a token of their own',
  'DiffRecord.commitId': 'a difference is between two versions, not of one commit',
  'DiffRecord.versionId': 'a difference is between two versions, not of one commit',
  'DiffRecord.messages': 'dead in the SDK: messages stand at their cells',
  'DiffRecord.resolves': 'of the differences of clips, which show it; those of snapshots have nothing to resolve',
  'DiffValue.clipValue': 'of the differences of clips, which show it',
  'DiffValue.layer': OF_CELLS,
  'DiffValue.metadata': OF_CELLS,
  'DiffValue.updatedAt': OF_CELLS,
  'DiffValue.warning': 'messages tell it',
  'DiffValue.warnings': 'messages tell it',
  'File_.treatments': 'marks of a hosted service for how its own extraction went on',
  'Program.accessToken': "a program is changed with the caller's own token",
  'RecordCounts.byField': 'GET /sheets/{sheetId}/counts?byField=true shows it',
  'RecordCounts.errorsByField': 'GET /sheets/{sheetId}/counts shows it',
  'RecordsResponseData.records': 'what was added to a clip is read as its records',
  'Space.size':
    'a class of a price list; workbooksCount, filesCount and the usage of the environment tell how much there is',
  'Space.upgradedAt': 'of a price list',
  'Workbook.storageType': 'records are stored in one way',
}

describe('requests of the public SDK', () => {
  it('are known for every operation served', () => expect(operations).toHaveLength(214))
  it.each(operations.map((one) => [one.name, one] as const))('%s is accepted or rejected by name', (_name, one) => {
    expect(findUnnamedParameters(one, one.contract.query)).toEqual([])
    const body = [...findUnnamedProperties(one.body, one.contract.body, 'input')]
    expect(body.filter((name) => !LEFT_AS_IT_IS.includes(name))).toEqual([])
  })
})

describe('replies the public SDK reads', () => {
  it('have every property, or a reason to leave it out', () => {
    const left = operations.flatMap(({ reply, contract }) =>
      contract.reply === 'bytes' ? [] : [...findUnnamedProperties(reply, contract.reply, 'output')],
    )
    expect([...new Set(left)].toSorted()).toEqual(Object.keys(NOT_SHOWN).toSorted())
  })
})

describe('a request rejected by name', () => {
  it.each([
    [
      'POST',
      '/agents?environmentId={environmentId}',
      { topics: ['space:created'], source: 'x', template: 'automap' },
      'template',
    ],
    [
      'POST',
      '/agents?environmentId={environmentId}',
      { topics: ['space:created'], source: 'x', templateOptions: {} },
      'templateOptions',
    ],
    [
      'POST',
      '/events',
      {
        topic: 'shop:x',
        domain: 'space',
        context: { environmentId: '{environmentId}' },
        payload: {},
        deletedAt: '2026-01-01T00:00:00Z',
      },
      'deletedAt',
    ],
    ['PATCH', '/files/{fileId}', { status: 'partial' }, 'status'],
    ['POST', '/workbooks', { spaceId: '{spaceId}', name: 'x', environmentId: 'us_env_other' }, 'environmentId'],
    [
      'PATCH',
      '/workbooks/{workbookId}',
      { sheets: [{ id: '{sheetId}', workbookId: 'us_wb_other' }] },
      'sheets.0.workbookId',
    ],
    ['POST', '/workbooks', { spaceId: '{spaceId}', name: 'x', storageStrategy: 'PAPER' }, 'storageStrategy'],
  ])('%s %s %j', async (method, path, body, key) => {
    const answer = await createCaller(own.token)(method, fillExample(path, own.ids), fillExample(body, own.ids))
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((one: { key: string }) => one.key)).toEqual([key])
  })
  it.each(['GET', 'DELETE'])('%s for an agent of another environment', async (method) => {
    const call = createCaller(own.token)
    const { body } = await call('GET', '/environments')
    const other = body.data.find(({ id }: { id: string }) => id !== own.ids.environmentId)
    expect((await call(method, `/agents/${own.ids.agentId}?environmentId=${other.id}`)).status).toBe(404)
    expect((await call('GET', `/agents/${own.ids.agentId}?environmentId=${own.ids.environmentId}`)).status).toBe(200)
  })
})

describe('a written property', () => {
  it.each(SDK_REQUESTS.map((one) => [one.name, one] as const))('can be read: %s', async (name, written) => {
    const { body: type, contract } = operations.find((one) => one.name === name)!
    const body = fillExample(written.body, own.ids) as object
    const silent = [...(written.notReturned ?? []), ...(written.rejected ?? [])]
    expect(getPropertyNames(type!).filter((property) => !(property in body) && !silent.includes(property))).toEqual([])
    const path = contract.path.replace(/\{(\w+)\}/g, (_, id) => own.ids[id]!)
    const query = written.query ? `?${new URLSearchParams(fillExample(written.query, own.ids))}` : ''
    const answer = await createCaller(own.token)(contract.method, `${path}${query}`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const reply = answer.body.data ?? answer.body
    const read = Array.isArray(reply) ? reply[0] : reply
    const told = { ...(Array.isArray(body) ? body[0] : body), ...fillExample(written.expected ?? {}, own.ids) }
    for (const property of written.notReturned ?? []) delete (told as { [name: string]: unknown })[property]
    expect(read).toMatchObject(told)
  })
})
