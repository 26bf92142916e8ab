/** Mapping programs over HTTP: suggested, kept, changed and computed again; jobs follow them, and what was accepted is remembered. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, server, type TestAccount, until } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>
let spaceId: string

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
  spaceId = (await call('POST', '/spaces', { name: 'Programs' })).body.data.id
})

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
const must = async <T = any>(method: string, path: string, body?: unknown, by = call): Promise<T> => {
  const answer = await by(method, path, body)
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBe(200)
  return answer.body.data
}
const text = (key: string, more: object = {}) => ({ key, type: 'string', ...more })
const FILE = ['Vorname', 'Nachname', 'E-Mail', 'Betrag', 'Alles'].map((key) => text(key))
const CONTACTS = [
  text('first_name'),
  text('last_name'),
  text('email', { constraints: [{ type: 'required' }] }),
  { key: 'amount', type: 'number' },
  text('reference', { constraints: [{ type: 'required' }], label: 'Reference' }),
]
const ROWS = [
  ['Ada', 'Lovelace', 'ADA@EXAMPLE.COM', '1.234,50 €', 'x'],
  ['Blaise', 'Pascal', 'blaise@example.com', '7', 'y'],
]

interface Sheets {
  workbookId: string
  source: string
  destination: string
}

interface Made {
  fields?: object[]
  destination?: object[]
  in?: string
  by?: typeof call
}

async function sheets({
  fields = FILE,
  destination = CONTACTS,
  in: space = spaceId,
  by = call,
}: Made = {}): Promise<Sheets> {
  const workbook = await must(
    'POST',
    '/workbooks',
    {
      spaceId: space,
      name: 'Import',
      sheets: [
        { name: 'File', slug: 'file', fields },
        { name: 'Contacts', slug: 'contacts', fields: destination },
      ],
    },
    by,
  )
  const [source, to] = workbook.sheets.map(({ id }: { id: string }) => id)
  const keys = (fields as { key: string }[]).map(({ key }) => key)
  const records = ROWS.map((row) => Object.fromEntries(keys.map((key, index) => [key, { value: row[index] }])))
  await must('POST', `/sheets/${source}/records`, records, by)
  return { workbookId: workbook.id, source, destination: to }
}

const mapping = ({ workbookId, source, destination }: Sheets, config: object = {}, more: object = {}) => ({
  type: 'workbook',
  operation: 'map',
  source: workbookId,
  managed: true,
  destination: workbookId,
  config: { sourceSheetId: source, destinationSheetId: destination, ...config },
  ...more,
})
const ended = (jobId: string, by = call) =>
  until(async () => {
    const job = await must('GET', `/jobs/${jobId}`, undefined, by)
    return ['completed', 'failed', 'canceled'].includes(job.status) && job
  }, 20)
const executed = async (jobId: string, by = call) => {
  await must('POST', `/jobs/${jobId}/execute`, undefined, by)
  const job = await ended(jobId, by)
  expect(job.info).not.toBe('')
  return job
}
const valuesOf = async (sheetId: string, ...keys: string[]) =>
  (await must('GET', `/sheets/${sheetId}/records`)).records.map(
    ({ values }: { values: Record<string, { value: unknown }> }) => keys.map((key) => values[key]!.value),
  )
const eventsOf = async (programId: string) =>
  (await must('GET', '/events?domain=program&pageSize=1000&includeAcknowledged=true')).filter(
    ({ context }: { context: { programId: string } }) => context.programId === programId,
  )
interface ToldRule {
  id: string
  type: string
  config: { sourceField: string; destinationField: string }
}
const arrows = (rules: ToldRule[]) =>
  rules.filter(({ type }) => type === 'assign').map(({ config }) => [config.sourceField, config.destinationField])
const edges = (plan: { fieldMapping: { sourceField: { key: string }; destinationField: { key: string } }[] }) =>
  plan.fieldMapping.map(({ sourceField, destinationField }) => [sourceField.key, destinationField.key])

const SOURCE = { name: 'File', fields: FILE }
const DESTINATION = { name: 'Contacts', slug: 'contacts', fields: CONTACTS }
const create = (more: object = {}) =>
  must('POST', '/mapping', { source: SOURCE, destination: DESTINATION, save: true, ...more })

describe('a program', () => {
  it('that is not saved is suggested and forgotten', async () => {
    const before = (await call('GET', '/mapping')).body.pagination.totalCount
    const program = await create({ save: false })
    expect(program).not.toHaveProperty('id')
    expect(arrows(program.rules)).toEqual([
      ['Vorname', 'first_name'],
      ['Nachname', 'last_name'],
      ['E-Mail', 'email'],
      ['Betrag', 'amount'],
    ])
    for (const rule of program.rules) expect(rule).not.toHaveProperty('id')
    expect((await call('GET', '/mapping')).body.pagination.totalCount).toBe(before)
  })

  it('is kept, read, changed and deleted, and told of', async () => {
    const program = await create({
      namespace: 'crm',
      rules: [{ name: 'Fixed', type: 'constant', config: { destinationField: 'reference', value: 'R1' } }],
    })
    expect(program).toMatchObject({
      namespace: 'crm',
      sourceKeys: FILE.map(({ key }) => key),
      destinationKeys: CONTACTS.map(({ key }) => key),
      summary: { totalRuleCount: 5, addedRuleCount: 5, deletedRuleCount: 0 },
      createdBy: expect.any(String),
    })
    expect(await must('GET', `/mapping/${program.id}`)).toEqual(program)
    const renamed = await must('PATCH', `/mapping/${program.id}`, {
      source: SOURCE,
      destination: DESTINATION,
      namespace: 'erp',
    })
    expect(renamed).toMatchObject({ namespace: 'erp', rules: program.rules })
    expect((await eventsOf(program.id)).map(({ topic }: { topic: string }) => topic)).toEqual([
      'program:created',
      'program:updated',
    ])
    await must('DELETE', `/mapping/${program.id}`)
    expect((await call('GET', `/mapping/${program.id}`)).status).toBe(404)
  })

  it('is listed by everything it can be asked by', async () => {
    const other = await mintAccount()
    const by = callerOf(other.secretKey)
    const made = []
    for (const more of [
      { namespace: 'a' },
      { familyId: 'family' },
      { source: { name: 'F', fields: [text('E-Mail'), text('x,y')] } },
    ])
      made.push(
        (await by('POST', '/mapping', { source: SOURCE, destination: DESTINATION, save: true, ...more })).body.data,
      )
    const ids = made.map(({ id }) => id)
    const listed = async (query: string) =>
      (await by('GET', `/mapping?${query}`)).body.data.map(({ id }: { id: string }) => ids.indexOf(id))
    expect(await listed('')).toEqual([2, 1, 0])
    expect(await listed('sortDirection=asc')).toEqual([0, 1, 2])
    expect(await listed('namespace=a')).toEqual([0])
    expect(await listed('familyId=family')).toEqual([1])
    expect(await listed('sourceKeys=Vorname,E-Mail')).toEqual([1, 0])
    expect(await listed('sourceKeys=x,y')).toEqual([2])
    expect(await listed('destinationKeys=email')).toEqual([2, 1, 0])
    expect(await listed('destinationKeys=nothing')).toEqual([])
    expect(await listed(`createdBy=${made[0].createdBy}&modifiedBy=${made[0].createdBy}`)).toEqual([2, 1, 0])
    expect(await listed('createdBy=us_usr_nobody')).toEqual([])
    expect(await listed(`createdBefore=${made[1].createdAt}`)).toEqual([0])
    expect(await listed(`createdAfter=${made[1].createdAt}&modifiedAfter=${made[1].createdAt}`)).toEqual([2, 1])
    expect(await listed('jobId=us_jb_none')).toEqual([])
    const page = (await by('GET', '/mapping?pageSize=2&pageNumber=2')).body
    expect([page.data.length, page.pagination]).toEqual([1, { currentPage: 2, pageCount: 2, totalCount: 3 }])
    await must('DELETE', `/mapping/${ids[0]}`, undefined, by)
    expect(await listed('')).toEqual([2, 1])
  })

  it('has rules that are added, changed and taken away, all or none, with every problem at once', async () => {
    const { id, rules } = await create()
    const path = `/mapping/${id}/rules`
    const join = {
      name: 'All',
      type: 'concatenate',
      config: { sourceFields: ['Vorname', 'Nachname'], destinationField: 'reference', separator: ' ' },
    }
    const [added] = await must('POST', path, [join])
    expect(added).toMatchObject({ ...join, id: expect.stringMatching(/^us_mr_/) })
    expect(await must('GET', `${path}/${added.id}`)).toEqual(added)
    expect(await must('PATCH', `${path}/${added.id}`, { ...join, name: 'Both' })).toMatchObject({
      id: added.id,
      name: 'Both',
    })
    expect((await must('PATCH', path, [{ ...added, name: 'Renamed' }]))[0]).toMatchObject({ name: 'Renamed' })
    expect(await must('GET', path)).toHaveLength(rules.length + 1)
    const bad = { name: 'Bad', type: 'assign', config: { sourceField: 'none', destinationField: 'nowhere' } }
    const keysOf = (answer: { body: { errors: { key: string }[] } }) => answer.body.errors.map(({ key }) => key)
    const posted = await call('POST', path, [join, bad, { ...bad, type: 'magic' }])
    expect([posted.status, keysOf(posted)]).toEqual([
      400,
      ['1.config.sourceField', '1.config.destinationField', '2.type'],
    ])
    const patched = await call('PATCH', `${path}/${added.id}`, bad)
    expect([patched.status, keysOf(patched)]).toEqual([400, ['config.sourceField', 'config.destinationField']])
    expect(
      keysOf(
        await call('PATCH', path, [
          { id: added.id, name: 'Lost' },
          { ...bad, id: rules[0].id },
        ]),
      ),
    ).toEqual(['1.config.sourceField', '1.config.destinationField'])
    expect((await call('PATCH', path, [{ id: added.id, name: 'Lost' }, { id: 'us_mr_none' }])).status).toBe(404)
    expect((await call('DELETE', path, { ruleIds: [added.id, 'us_mr_none'] })).status).toBe(404)
    expect((await must('GET', `${path}/${added.id}`)).name).toBe('Renamed')
    await must('DELETE', path, { ruleIds: [added.id, rules[0].id] })
    await must('DELETE', `${path}/${rules[1].id}`)
    expect((await must('GET', path)).map((rule: ToldRule) => rule.id)).toEqual(
      rules.slice(2).map((rule: ToldRule) => rule.id),
    )
    expect((await call('GET', `${path}/${added.id}`)).status).toBe(404)
    const other = await create()
    expect((await call('GET', `/mapping/${other.id}/rules/${rules[2].id}`)).status).toBe(404)
  })

  it('has its suggestions computed again when its fields are others; what clients made stays while it fits', async () => {
    const own = [
      { name: 'Mine', type: 'constant', config: { destinationField: 'reference', value: 1 } },
      {
        name: 'Lost',
        type: 'transform',
        config: { sourceField: 'Alles', destinationField: 'reference', transform: 'trim' },
      },
    ]
    const { id, rules } = await create({ rules: own })
    const source = { name: 'File', fields: ['First', 'Nachname', 'Mail'].map((key) => text(key)) }
    const after = await must('PATCH', `/mapping/${id}`, { source, destination: DESTINATION })
    expect(arrows(after.rules)).toEqual([
      ['First', 'first_name'],
      ['Nachname', 'last_name'],
      ['Mail', 'email'],
    ])
    const idOf = (list: ToldRule[], to: string) => list.find(({ config }) => config.destinationField === to)!.id
    expect(idOf(after.rules, 'last_name')).toBe(idOf(rules, 'last_name'))
    expect(after.rules.filter(({ type }: ToldRule) => type !== 'assign')).toMatchObject([{ name: 'Mine' }])
    expect(after).toMatchObject({ summary: { totalRuleCount: 4, addedRuleCount: 2, deletedRuleCount: 4 } })
    expect(after).not.toHaveProperty('recomputingAt')
    expect((await eventsOf(id)).map(({ topic }: { topic: string }) => topic)).toEqual([
      'program:created',
      'program:updated',
      'program:recomputing',
      'program:recomputed',
    ])
  })

  it('is computed again by the clock when its request died on the way', async () => {
    const { id } = await create()
    server()
    const { Programs } = await import('../../lib/entities/programs.ts')
    const { beginRecomputing } = await import('../../lib/mapping/programs.ts')
    const { begin } = await import('../../lib/tx.ts')
    const before = (await Programs.get(id))!
    const tx = begin({ accountId: before.accountId, actorId: before.createdBy })
    beginRecomputing(tx, before, { ...before, source: { name: 'File', fields: [text('Mail')] as never } })
    await tx.commit()
    expect((await must('GET', `/mapping/${id}`)).recomputingAt).toBeDefined()
    const { handler } = await import('../../functions/system/jobs-due.ts')
    const clock = (minutes: number) =>
      handler(
        { time: new Date(Date.now() + minutes * 60_000).toISOString() },
        { getRemainingTimeInMillis: () => 300_000 },
      )
    await clock(0)
    expect((await must('GET', `/mapping/${id}`)).recomputingAt).toBeDefined()
    expect((await clock(2)).programs).toBeGreaterThanOrEqual(1)
    const after = await must('GET', `/mapping/${id}`)
    expect(arrows(after.rules)).toEqual([['Mail', 'email']])
    await clock(4)
    expect((await eventsOf(id)).filter(({ topic }: { topic: string }) => topic === 'program:recomputed')).toHaveLength(
      1,
    )
  })

  it('between sheets looks at their values, is about the destination, and goes with its space', async () => {
    const space = await must('POST', '/spaces', { name: 'Short-lived' })
    const { source, destination, workbookId } = await sheets({
      in: space.id,
      fields: ['A', 'B', 'C', 'D', 'E'].map((key) => text(key)),
    })
    const by = { sourceSheetId: source, destinationSheetId: destination, save: true }
    expect(
      (await call('POST', '/mapping', { sourceSheetId: 'us_sh_none', destinationSheetId: destination })).status,
    ).toBe(404)
    expect((await call('POST', '/mapping', { destinationSheetId: destination })).body.errors[0].key).toBe('source')
    const elsewhere = await sheets()
    expect((await call('POST', '/mapping', { ...by, destinationSheetId: elsewhere.destination })).status).toBe(400)
    const program = await must('POST', '/mapping', { ...by, source: undefined })
    expect(program).toMatchObject({ spaceId: space.id, workbookId, sheetId: destination, sourceSheetId: source })
    const [created] = await eventsOf(program.id)
    expect(created.context).toMatchObject({
      spaceId: space.id,
      workbookId,
      sheetId: destination,
      programId: program.id,
    })
    await must('DELETE', `/spaces/${space.id}`)
    await until(async () => (await call('GET', `/mapping/${program.id}`)).status === 404)
  })
})

describe("a mapping job's program", () => {
  it('says what its plan says, whichever is changed', async () => {
    const job = await must('POST', '/jobs', mapping(await sheets()))
    const plan = async () => (await must('GET', `/jobs/${job.id}/plan`)).plan
    const { programId } = await plan()
    const program = async () => must('GET', `/mapping/${programId}`)
    expect((await must('GET', `/mapping?jobId=${job.id}`)).map(({ id }: { id: string }) => id)).toEqual([programId])
    expect(arrows((await program()).rules)).toEqual(edges(await plan()))
    expect(job.info).toBe('Required, but not mapped: Reference')
    await must('POST', `/mapping/${programId}/rules`, [
      { name: 'All', type: 'assign', config: { sourceField: 'Alles', destinationField: 'reference' } },
    ])
    expect(edges(await plan()).at(-1)).toEqual(['Alles', 'reference'])
    expect((await plan()).unmappedSourceFields).toEqual([])
    expect(await must('GET', `/jobs/${job.id}`)).toMatchObject({
      status: 'planning',
      info: 'Every required field is mapped',
    })
    const fieldMapping = (await plan()).fieldMapping.slice(1, 3)
    await must('PATCH', `/jobs/${job.id}/plan`, { fieldMapping, fileId: 'any', jobId: job.id })
    expect(arrows((await program()).rules)).toEqual([
      ['Nachname', 'last_name'],
      ['E-Mail', 'email'],
    ])
    expect(
      (await plan()).unmappedDestinationFields.map(
        ({ destinationField }: { destinationField: { key: string } }) => destinationField.key,
      ),
    ).toEqual(['first_name', 'amount', 'reference'])
    await must('DELETE', `/jobs/${job.id}`)
    expect((await call('GET', `/mapping/${programId}`)).status).toBe(404)
  })

  it('carries records by all its rules, and is accepted by that', async () => {
    const pair = await sheets()
    const job = await must('POST', '/jobs', mapping(pair))
    const { programId } = (await must('GET', `/jobs/${job.id}/plan`)).plan
    await must('POST', `/mapping/${programId}/rules`, [
      {
        name: 'Lower',
        type: 'transform',
        config: { sourceField: 'destination!email', destinationField: 'email', transform: 'lowercase' },
      },
      { name: 'Number', type: 'number', config: { sourceField: 'Betrag', destinationField: 'amount', locale: 'de' } },
      {
        name: 'Reference',
        type: 'interpolate',
        config: { sourceFields: ['Nachname', 'Alles'], destinationField: 'reference', template: '{0}-{1}' },
      },
    ])
    expect(await executed(job.id)).toMatchObject({
      status: 'completed',
      info: 'Mapped 2 records',
      result: { fields: 5 },
    })
    expect(await valuesOf(pair.destination, 'first_name', 'email', 'amount', 'reference')).toEqual([
      ['Ada', 'ada@example.com', 1234.5, 'Lovelace-x'],
      ['Blaise', 'blaise@example.com', 7, 'Pascal-y'],
    ])
    const program = await must('GET', `/mapping/${programId}`)
    expect(program.acceptedAt).toBeDefined()
    for (const rule of program.rules) expect(rule.acceptedBy).toBe(program.acceptedBy)
  })

  it('starts from rules the job brings, and takes over those of another program', async () => {
    const pair = await sheets()
    const rules = [{ type: 'coalesce', sourceFields: ['Alles', 'E-Mail'], destinationField: 'email' }]
    const bad = await call(
      'POST',
      '/jobs',
      mapping(pair, { mappingRules: [{ type: 'coalesce', sourceFields: [], destinationField: 'x' }] }),
    )
    expect(bad.body.errors.map(({ key }: { key: string }) => key)).toEqual(['config.mappingRules.0.sourceFields'])
    const immediate = await must('POST', '/jobs', mapping(pair, { mappingRules: rules }, { trigger: 'immediate' }))
    await ended(immediate.id)
    expect(await valuesOf(pair.destination, 'first_name', 'email')).toEqual([
      [null, 'x'],
      [null, 'y'],
    ])
    const more = await must('POST', '/jobs', mapping(pair, { mappingRules: rules, canRecompute: true }))
    expect(edges((await must('GET', `/jobs/${more.id}/plan`)).plan)).toEqual([
      ['Vorname', 'first_name'],
      ['Nachname', 'last_name'],
      ['Betrag', 'amount'],
    ])
    const saved = await create({
      rules: [{ name: 'Swap', type: 'assign', config: { sourceField: 'Nachname', destinationField: 'first_name' } }],
    })
    const job = await must('POST', '/jobs', mapping(pair))
    const { plan } = await must('PATCH', `/jobs/${job.id}/plan`, { programId: saved.id })
    expect(plan.programId).not.toBe(saved.id)
    expect(edges(plan)).toContainEqual(['Nachname', 'first_name'])
    const brought = await must('POST', '/jobs', mapping(pair, { programId: saved.id }))
    expect(edges((await must('GET', `/jobs/${brought.id}/plan`)).plan)).toContainEqual(['Nachname', 'first_name'])
    const stranger = await mintAccount()
    const foreign = (
      await callerOf(stranger.secretKey)('POST', '/mapping', { source: SOURCE, destination: DESTINATION, save: true })
    ).body.data
    expect((await call('POST', '/jobs', mapping(pair, { programId: foreign.id }))).status).toBe(404)
    expect((await call('PATCH', `/jobs/${job.id}/plan`, { programId: foreign.id })).status).toBe(404)
  })

  it('is computed again when the job begins and the sheet has other fields, where the job wants that', async () => {
    const pair = await sheets()
    const job = await must('POST', '/jobs', mapping(pair, { canRecompute: true }))
    const strict = await must('POST', '/jobs', mapping(pair))
    await must('DELETE', `/sheets/${pair.destination}/fields/last_name`)
    await must('POST', `/sheets/${pair.destination}/fields`, text('family_name'))
    expect((await executed(strict.id)).info).toContain('the destination has no field last_name')
    expect((await executed(job.id)).status).toBe('completed')
    expect(await valuesOf(pair.destination, 'first_name', 'family_name')).toEqual([
      ['Ada', 'Lovelace'],
      ['Blaise', 'Pascal'],
    ])
    const { plan } = await must('GET', `/jobs/${job.id}/plan`)
    expect(edges(plan)).toContainEqual(['Nachname', 'family_name'])
    expect((await eventsOf(plan.programId)).map(({ topic }: { topic: string }) => topic)).toEqual([
      'program:created',
      'program:updated',
      'program:recomputing',
      'program:recomputed',
      'program:updated',
    ])
  })
})

describe('what was accepted before', () => {
  const ODD = ['Feld 1', 'Feld 2', 'Feld 3', 'Betrag', 'Kunde'].map((key) => text(key))
  const OPTIONS = [
    text('first_name'),
    text('email'),
    { key: 'tier', type: 'enum', config: { options: [{ value: 'gold' }, { value: 'silver' }] } },
  ]

  async function accept(by: typeof call, inSpace: string): Promise<void> {
    const pair = await sheets({ fields: ODD, destination: OPTIONS, in: inSpace, by })
    const job = await must('POST', '/jobs', mapping(pair), by)
    const arrow = (from: string, to: string, more: object = {}) => ({
      sourceField: text(from),
      destinationField: text(to),
      ...more,
    })
    const enumDetails = { mapping: [{ sourceValue: 'x', destinationValue: 'gold' }] }
    const fieldMapping = [arrow('Feld 1', 'first_name'), arrow('Kunde', 'tier', { enumDetails })]
    await must('PATCH', `/jobs/${job.id}/plan`, { fieldMapping, fileId: 'any', jobId: job.id }, by)
    expect((await executed(job.id, by)).status).toBe('completed')
  }
  const suggested = async (by: typeof call, inSpace: string) => {
    const pair = await sheets({ fields: ODD, destination: OPTIONS, in: inSpace, by })
    const job = await must('POST', '/jobs', mapping(pair), by)
    return (await must('GET', `/jobs/${job.id}/plan`, undefined, by)).plan
  }

  it('is suggested again: in the space, the environment and the account, never in another account; and can be forgotten', async () => {
    const mine = await mintAccount()
    const by = callerOf(mine.secretKey)
    const { id: here } = await must('POST', '/spaces', { name: 'Here' }, by)
    const { id: beside } = await must('POST', '/spaces', { name: 'Beside' }, by)
    expect(edges(await suggested(by, here))).toEqual([])
    await accept(by, here)
    const plan = await suggested(by, here)
    expect(edges(plan)).toEqual([
      ['Feld 1', 'first_name'],
      ['Kunde', 'tier'],
    ])
    expect(plan.fieldMapping[0].metadata).toMatchObject({ source: 'history', certainty: 'absolute', confidence: 0.99 })
    expect(plan.fieldMapping[1].enumDetails.mapping).toEqual([{ sourceValue: 'x', destinationValue: 'gold' }])
    expect((await suggested(by, beside)).fieldMapping[0].metadata.confidence).toBe(0.98)

    const { email, password } = mine
    const token = (await callerOf(undefined)('POST', '/auth', { email, password })).body.accessToken
    const admin = callerOf(token)
    const environments = await must('GET', '/environments', undefined, admin)
    const production = environments.find(({ id }: { id: string }) => id !== mine.environmentId).id
    const { id: there } = await must('POST', '/spaces', { name: 'There', environmentId: production }, admin)
    expect((await suggested(admin, there)).fieldMapping[0].metadata.confidence).toBe(0.96)

    const stranger = callerOf((await mintAccount()).secretKey)
    const { id: strange } = await must('POST', '/spaces', { name: 'Strange' }, stranger)
    expect(edges(await suggested(stranger, strange))).toEqual([])

    await must('DELETE', '/mapping', { environmentId: production }, admin)
    expect(edges(await suggested(by, here))).toHaveLength(2)
    expect((await by('DELETE', '/mapping', { environmentId: mine.environmentId })).body).toEqual({
      data: { success: true },
    })
    expect(edges(await suggested(by, here))).toEqual([])
  })

  it('is not what ran at once, unseen, nor what failed', async () => {
    const by = callerOf((await mintAccount()).secretKey)
    const { id: space } = await must('POST', '/spaces', { name: 'Unseen' }, by)
    const rules = [{ type: 'assign', sourceField: 'Feld 1', destinationField: 'first_name' }]
    const pair = await sheets({ fields: ODD, destination: OPTIONS, in: space, by })
    await ended(
      (await must('POST', '/jobs', mapping(pair, { mappingRules: rules }, { trigger: 'immediate' }), by)).id,
      by,
    )
    const failing = await must('POST', '/jobs', mapping(pair, { mappingRules: rules }), by)
    await must('POST', `/sheets/${pair.destination}/lock`, undefined, by)
    expect((await executed(failing.id, by)).status).toBe('failed')
    expect(edges(await suggested(by, space))).toEqual([])
  })
})
