import { beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { createCaller, createTestAccount, getAccessToken, pluck } from '../support/api.ts'
import { call, createFreshSpace, must } from '../support/fresh-account.ts'
import {
  buildMappingJob,
  createProgram,
  createSheets,
  DESTINATION,
  executeJob,
  getAssignedFields,
  getEdges,
  listProgramEvents,
  readValues,
  SOURCE,
  textField,
} from '../support/mapping-jobs.ts'

beforeAll(() => createFreshSpace())

describe("a mapping job's program", () => {
  it('stays in sync with its plan, whichever is changed', async () => {
    const job = await must('POST', '/jobs', buildMappingJob(await createSheets()))
    const plan = async () => (await must('GET', `/jobs/${job.id}/plan`)).plan
    const { programId } = await plan()
    const program = async () => must('GET', `/mapping/${programId}`)
    expect(pluck(await must('GET', `/mapping?jobId=${job.id}`), 'id')).toEqual([programId])
    expect(getAssignedFields((await program()).rules)).toEqual(getEdges(await plan()))
    expect(job.info).toBe('Unmapped required fields: Reference')
    await must('POST', `/mapping/${programId}/rules`, [
      { name: 'All', type: 'assign', config: { sourceField: 'Alles', destinationField: 'reference' } },
    ])
    expect(getEdges(await plan()).at(-1)).toEqual(['Alles', 'reference'])
    expect((await plan()).unmappedSourceFields).toEqual([])
    expect(await must('GET', `/jobs/${job.id}`)).toMatchObject({
      status: 'planning',
      info: 'All required fields are mapped',
    })
    const fieldMapping = (await plan()).fieldMapping.slice(1, 3)
    await must('PATCH', `/jobs/${job.id}/plan`, { fieldMapping, fileId: 'any', jobId: job.id })
    expect(getAssignedFields((await program()).rules)).toEqual([
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

  it('copies records by all its rules, which accepts them', async () => {
    const pair = await createSheets()
    const job = await must('POST', '/jobs', buildMappingJob(pair))
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
    expect(await executeJob(job.id)).toMatchObject({
      status: 'completed',
      info: 'Mapped 2 records',
      result: { fields: 5 },
    })
    expect(await readValues(pair.destination, 'first_name', 'email', 'amount', 'reference')).toEqual([
      ['Ada', 'ada@example.com', 1234.5, 'Lovelace-x'],
      ['Blaise', 'blaise@example.com', 7, 'Pascal-y'],
    ])
    const program = await must('GET', `/mapping/${programId}`)
    expect(program.acceptedAt).toBeDefined()
    for (const rule of program.rules) expect(rule.acceptedBy).toBe(program.acceptedBy)
  })

  it('starts from the rules in the job, and can copy those of another program', async () => {
    const pair = await createSheets()
    const rules = [{ type: 'coalesce', sourceFields: ['Alles', 'E-Mail'], destinationField: 'email' }]
    const bad = await call(
      'POST',
      '/jobs',
      buildMappingJob(pair, { mappingRules: [{ type: 'coalesce', sourceFields: [], destinationField: 'x' }] }),
    )
    expect(pluck(bad.body.errors, 'key')).toEqual(['config.mappingRules.0.sourceFields'])
    const immediate = await must(
      'POST',
      '/jobs',
      buildMappingJob(pair, { mappingRules: rules }, { trigger: 'immediate' }),
    )
    await waitForJob(immediate.id)
    expect(await readValues(pair.destination, 'first_name', 'email')).toEqual([
      [null, 'x'],
      [null, 'y'],
    ])
    const more = await must('POST', '/jobs', buildMappingJob(pair, { mappingRules: rules, canRecompute: true }))
    expect(getEdges((await must('GET', `/jobs/${more.id}/plan`)).plan)).toEqual([
      ['Vorname', 'first_name'],
      ['Nachname', 'last_name'],
      ['Betrag', 'amount'],
    ])
    const saved = await createProgram({
      rules: [{ name: 'Swap', type: 'assign', config: { sourceField: 'Nachname', destinationField: 'first_name' } }],
    })
    const job = await must('POST', '/jobs', buildMappingJob(pair))
    const { plan } = await must('PATCH', `/jobs/${job.id}/plan`, { programId: saved.id })
    expect(plan.programId).not.toBe(saved.id)
    expect(getEdges(plan)).toContainEqual(['Nachname', 'first_name'])
    const brought = await must('POST', '/jobs', buildMappingJob(pair, { programId: saved.id }))
    expect(getEdges((await must('GET', `/jobs/${brought.id}/plan`)).plan)).toContainEqual(['Nachname', 'first_name'])
    const stranger = await createTestAccount()
    const foreign = (
      await createCaller(stranger.secretKey)('POST', '/mapping', {
        source: SOURCE,
        destination: DESTINATION,
        save: true,
      })
    ).body.data
    expect((await call('POST', '/jobs', buildMappingJob(pair, { programId: foreign.id }))).status).toBe(404)
    expect((await call('PATCH', `/jobs/${job.id}/plan`, { programId: foreign.id })).status).toBe(404)
  })

  it('is recomputed when the job starts and the sheet has changed fields, if the job asks for it', async () => {
    const pair = await createSheets()
    const job = await must('POST', '/jobs', buildMappingJob(pair, { canRecompute: true }))
    const strict = await must('POST', '/jobs', buildMappingJob(pair))
    await must('DELETE', `/sheets/${pair.destination}/fields/last_name`)
    await must('POST', `/sheets/${pair.destination}/fields`, textField('family_name'))
    expect((await executeJob(strict.id)).info).toContain('the destination has no field last_name')
    expect((await executeJob(job.id)).status).toBe('completed')
    expect(await readValues(pair.destination, 'first_name', 'family_name')).toEqual([
      ['Ada', 'Lovelace'],
      ['Blaise', 'Pascal'],
    ])
    const { plan } = await must('GET', `/jobs/${job.id}/plan`)
    expect(getEdges(plan)).toContainEqual(['Nachname', 'family_name'])
    expect(pluck(await listProgramEvents(plan.programId), 'topic')).toEqual([
      'program:created',
      'program:updated',
      'program:recomputing',
      'program:recomputed',
      'program:updated',
    ])
  })
})

describe('an accepted mapping', () => {
  const ODD = ['Feld 1', 'Feld 2', 'Feld 3', 'Betrag', 'Kunde'].map((key) => textField(key))
  const OPTIONS = [
    textField('first_name'),
    textField('email'),
    { key: 'tier', type: 'enum', config: { options: [{ value: 'gold' }, { value: 'silver' }] } },
  ]

  async function accept(by: typeof call, inSpace: string): Promise<void> {
    const pair = await createSheets({ fields: ODD, destination: OPTIONS, in: inSpace, by })
    const job = await must('POST', '/jobs', buildMappingJob(pair), by)
    const edge = (from: string, to: string, more: object = {}) => ({
      sourceField: textField(from),
      destinationField: textField(to),
      ...more,
    })
    const enumDetails = { mapping: [{ sourceValue: 'x', destinationValue: 'gold' }] }
    const fieldMapping = [edge('Feld 1', 'first_name'), edge('Kunde', 'tier', { enumDetails })]
    await must('PATCH', `/jobs/${job.id}/plan`, { fieldMapping, fileId: 'any', jobId: job.id }, by)
    expect((await executeJob(job.id, by)).status).toBe('completed')
  }
  const suggestIn = async (by: typeof call, inSpace: string) => {
    const pair = await createSheets({ fields: ODD, destination: OPTIONS, in: inSpace, by })
    const job = await must('POST', '/jobs', buildMappingJob(pair), by)
    return (await must('GET', `/jobs/${job.id}/plan`, undefined, by)).plan
  }

  it('is suggested again in the space, the environment and the account, never in another account, and can be forgotten', async () => {
    const mine = await createTestAccount()
    const by = createCaller(mine.secretKey)
    const { id: here } = await must('POST', '/spaces', { name: 'Here' }, by)
    const { id: beside } = await must('POST', '/spaces', { name: 'Beside' }, by)
    expect(getEdges(await suggestIn(by, here))).toEqual([])
    await accept(by, here)
    const plan = await suggestIn(by, here)
    expect(getEdges(plan)).toEqual([
      ['Feld 1', 'first_name'],
      ['Kunde', 'tier'],
    ])
    expect(plan.fieldMapping[0].metadata).toMatchObject({ source: 'history', certainty: 'absolute', confidence: 0.99 })
    expect(plan.fieldMapping[1].enumDetails.mapping).toEqual([{ sourceValue: 'x', destinationValue: 'gold' }])
    expect((await suggestIn(by, beside)).fieldMapping[0].metadata.confidence).toBe(0.98)

    const { email, password } = mine
    const token = await getAccessToken({ email, password })
    const admin = createCaller(token)
    const environments = await must('GET', '/environments', undefined, admin)
    const production = environments.find(({ id }: { id: string }) => id !== mine.environmentId).id
    const { id: there } = await must('POST', '/spaces', { name: 'There', environmentId: production }, admin)
    expect((await suggestIn(admin, there)).fieldMapping[0].metadata.confidence).toBe(0.96)

    const stranger = createCaller((await createTestAccount()).secretKey)
    const { id: strange } = await must('POST', '/spaces', { name: 'Strange' }, stranger)
    expect(getEdges(await suggestIn(stranger, strange))).toEqual([])

    await must('DELETE', '/mapping', { environmentId: production }, admin)
    expect(getEdges(await suggestIn(by, here))).toHaveLength(2)
    expect((await by('DELETE', '/mapping', { environmentId: mine.environmentId })).body).toEqual({
      data: { success: true },
    })
    expect(getEdges(await suggestIn(by, here))).toEqual([])
  })

  it('still names the first user who accepted it when its job runs again', async () => {
    const by = createCaller((await createTestAccount()).secretKey)
    const { id: space } = await must('POST', '/spaces', { name: 'Twice' }, by)
    const pair = await createSheets({ in: space, by })
    const job = await must('POST', '/jobs', buildMappingJob(pair), by)
    const { programId } = (await must('GET', `/jobs/${job.id}/plan`, undefined, by)).plan
    await executeJob(job.id, by)
    const first = await must('GET', `/mapping/${programId}`, undefined, by)
    const added = { name: 'Added', type: 'constant', config: { destinationField: 'reference', value: 'R1' } }
    await must('POST', `/mapping/${programId}/rules`, [added], by)
    await must('POST', `/jobs/${job.id}/retry`, undefined, by)
    expect((await waitForJob(job.id, by)).status).toBe('completed')
    const { rules, acceptedAt } = await must('GET', `/mapping/${programId}`, undefined, by)
    expect(acceptedAt > first.acceptedAt).toBe(true)
    const times = new Map(rules.map((rule: { id: string; acceptedAt: string }) => [rule.id, rule.acceptedAt]))
    for (const { id, acceptedAt: at } of first.rules) expect(times.get(id)).toBe(at)
    expect(rules.at(-1)).toMatchObject({ name: 'Added', acceptedAt })
  })

  it('is not learned from an immediate, unreviewed job, or from a failed one', async () => {
    const by = createCaller((await createTestAccount()).secretKey)
    const { id: space } = await must('POST', '/spaces', { name: 'Unseen' }, by)
    const rules = [{ type: 'assign', sourceField: 'Feld 1', destinationField: 'first_name' }]
    const pair = await createSheets({ fields: ODD, destination: OPTIONS, in: space, by })
    await waitForJob(
      (await must('POST', '/jobs', buildMappingJob(pair, { mappingRules: rules }, { trigger: 'immediate' }), by)).id,
      by,
    )
    const failing = await must('POST', '/jobs', buildMappingJob(pair, { mappingRules: rules }), by)
    await must('POST', `/sheets/${pair.destination}/lock`, undefined, by)
    expect((await executeJob(failing.id, by)).status).toBe('failed')
    expect(getEdges(await suggestIn(by, space))).toEqual([])
  })
})
