/** Mapping jobs and their programs follow each other, and what was accepted is remembered, in its account alone. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount } from '../support/api.ts'
import {
  arrows,
  call,
  create,
  DESTINATION,
  edges,
  ended,
  eventsOf,
  executed,
  freshSpace,
  mapping,
  must,
  SOURCE,
  sheets,
  text,
  valuesOf,
} from '../support/mapping-jobs.ts'

beforeAll(freshSpace)

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

  it('stays accepted by who accepted it first when its job runs again', async () => {
    const by = callerOf((await mintAccount()).secretKey)
    const { id: space } = await must('POST', '/spaces', { name: 'Twice' }, by)
    const pair = await sheets({ in: space, by })
    const job = await must('POST', '/jobs', mapping(pair), by)
    const { programId } = (await must('GET', `/jobs/${job.id}/plan`, undefined, by)).plan
    await executed(job.id, by)
    const first = await must('GET', `/mapping/${programId}`, undefined, by)
    const added = { name: 'Added', type: 'constant', config: { destinationField: 'reference', value: 'R1' } }
    await must('POST', `/mapping/${programId}/rules`, [added], by)
    await must('POST', `/jobs/${job.id}/retry`, undefined, by)
    expect((await ended(job.id, by)).status).toBe('completed')
    const { rules, acceptedAt } = await must('GET', `/mapping/${programId}`, undefined, by)
    expect(acceptedAt > first.acceptedAt).toBe(true)
    const times = new Map(rules.map((rule: { id: string; acceptedAt: string }) => [rule.id, rule.acceptedAt]))
    for (const { id, acceptedAt: at } of first.rules) expect(times.get(id)).toBe(at)
    expect(rules.at(-1)).toMatchObject({ name: 'Added', acceptedAt })
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
