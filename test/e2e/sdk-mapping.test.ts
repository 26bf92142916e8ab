/** The public SDK, unmodified, calls all 13 endpoints of mapping programs; replies match its types. */
import { FlatfileClient, type FlatfileError } from '@flatfile/api'
import { beforeAll, expect, it } from 'vitest'
import { createCaller, createTestAccount, getServer } from '../support/api.ts'
import { account, createFreshAccount } from '../support/fresh-account.ts'

const TYPES = {
  Program: {
    rules: 'list',
    id: 'string?',
    namespace: 'string?',
    familyId: 'string?',
    createdAt: 'time?',
    createdBy: 'string?',
    sourceKeys: 'list',
    destinationKeys: 'list',
    summary: 'object?',
    accessToken: 'string?',
    acceptedAt: 'time?',
    acceptedBy: 'string?',
  },
  ProgramSummary: { totalRuleCount: 'number', addedRuleCount: 'number', deletedRuleCount: 'number' },
  MappingRule: {
    name: 'string',
    type: 'string',
    config: 'any?',
    acceptedAt: 'time?',
    acceptedBy: 'string?',
    metadata: 'any?',
    id: 'string',
    confidence: 'number?',
    createdBy: 'string?',
    createdAt: 'time',
    updatedAt: 'time',
    deletedAt: 'time?',
  },
} as const

function findMismatches(value: unknown, type: keyof typeof TYPES): string[] {
  const members = value as Record<string, unknown>
  return Object.entries(TYPES[type]).flatMap(([name, kind]) => {
    const given = members[name]
    if (given === undefined) return kind.endsWith('?') ? [] : [`${type}.${name} is missing`]
    const is = given instanceof Date ? 'time' : Array.isArray(given) ? 'list' : typeof given
    return kind === 'any?' || kind.replace('?', '') === is ? [] : [`${type}.${name} is a ${is}, not a ${kind}`]
  })
}

let api: FlatfileClient
beforeAll(async () => {
  await createFreshAccount()
  process.env.FLATFILE_API_URL = getServer().baseUrl
  api = new FlatfileClient({ token: account.secretKey })
})

const field = (key: string) => ({ key, type: 'string' as const })
const source = { name: 'File', fields: [field('Vorname'), field('E-Mail')] }
const destination = { name: 'Contacts', slug: 'contacts', fields: [field('first_name'), field('email')] }
const constant = { name: 'Fixed', type: 'constant', config: { destinationField: 'email', value: 'a@example.com' } }

it('creates, lists, reads, changes and deletes programs and rules', async () => {
  const suggested = (await api.mapping.createMappingProgram({ body: { source, destination } })).data
  expect(suggested.id).toBeUndefined()
  expect(findMismatches(suggested, 'Program')).toEqual([])

  const { environmentId } = account
  const { data: program } = await api.mapping.createMappingProgram({
    environmentId,
    body: { source, destination, save: true, namespace: 'sdk', familyId: 'family', rules: [constant] },
  })
  const id = program.id!
  expect(findMismatches(program, 'Program')).toEqual([])
  expect(findMismatches(program.summary, 'ProgramSummary')).toEqual([])
  expect(program).toMatchObject({ namespace: 'sdk', familyId: 'family', sourceKeys: ['Vorname', 'E-Mail'] })

  const listed = await api.mapping.listMappingPrograms({
    environmentId,
    pageSize: 1,
    pageNumber: 1,
    createdBy: program.createdBy!,
    createdAfter: new Date(Date.now() - 60_000),
    createdBefore: new Date(Date.now() + 60_000),
    familyId: 'family',
    namespace: 'sdk',
    sourceKeys: 'Vorname',
    destinationKeys: 'email',
  })
  expect(listed.data.map((one) => one.id)).toEqual([id])
  expect((await api.mapping.getMappingProgram(id)).data).toEqual(program)
  const { data: changed } = await api.mapping.updateMappingProgram(id, { source, destination, namespace: 'other' })
  expect(findMismatches(changed, 'Program')).toEqual([])
  expect(changed.namespace).toBe('other')

  const { data: rules } = await api.mapping.listRules(id)
  expect(rules.flatMap((rule) => findMismatches(rule, 'MappingRule'))).toEqual([])
  expect(rules.map(({ type }) => type)).toEqual(['assign', 'constant'])
  const { data: added } = await api.mapping.createRules(id, [
    { ...constant, name: 'One' },
    { ...constant, name: 'Two' },
  ])
  expect(added.flatMap((rule) => findMismatches(rule, 'MappingRule'))).toEqual([])
  const [one, two] = added
  const at = new Date('2026-01-02T03:04:05.678Z')
  const accepted = await api.mapping.updateRule(id, one!.id, {
    ...constant,
    name: 'First',
    acceptedAt: at,
    acceptedBy: program.createdBy!,
  })
  expect(accepted.data).toMatchObject({ id: one!.id, name: 'First', acceptedAt: at })
  const both = await api.mapping.updateRules(id, [
    { ...one!, name: '1' },
    { ...two!, name: '2' },
  ])
  expect(both.data.map(({ name }) => name)).toEqual(['1', '2'])
  expect((await api.mapping.getRule(id, two!.id)).data).toEqual(both.data[1])
  expect(await api.mapping.deleteRule(id, two!.id)).toEqual({ data: { success: true } })
  expect(await api.mapping.deleteMultipleRules(id, { ruleIds: [one!.id] })).toEqual({ data: { success: true } })
  expect((await api.mapping.listRules(id)).data).toEqual(rules)

  expect(await api.mapping.deleteAllHistoryForUser({ environmentId })).toEqual({ data: { success: true } })
  expect(await api.mapping.deleteMappingProgram(id)).toEqual({ data: { success: true } })
  await expect(api.mapping.getMappingProgram(id)).rejects.toMatchObject({ statusCode: 404 })
  await expect(api.mapping.createRules('us_mp_none', [constant])).rejects.toMatchObject({ statusCode: 404 })
})

it('gets every problem of its rules in the error type it knows', async () => {
  const rules = [
    { ...constant, config: {} },
    { name: 'Bad', type: 'magic' },
  ]
  const refused = (await api.mapping
    .createMappingProgram({ body: { source, destination, rules } })
    .catch((error) => error)) as FlatfileError & { body: { errors: { key: string }[] } }
  expect(refused).toMatchObject({ statusCode: 400 })
  expect(refused.body.errors.map(({ key }) => key)).toEqual([
    'rules.0.config.destinationField',
    'rules.0.config.value',
    'rules.1.type',
  ])
})

it('sees only the programs its key may see', async () => {
  const { data } = await api.mapping.createMappingProgram({ body: { source, destination, save: true } })
  const stranger = createCaller((await createTestAccount()).secretKey)
  expect((await stranger('GET', `/mapping/${data.id}`)).status).toBe(404)
  expect((await stranger('GET', '/mapping')).body.data).toEqual([])
})
