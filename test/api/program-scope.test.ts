/** A job changes only its own program. Others are read with the permissions of the caller. */
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { createCaller, createTestAccount, type TestAccount } from '../support/api.ts'
import { createUnknownId } from '../support/foreign.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { buildMappingJob, createSheets, executeJob, readValues } from '../support/mapping-jobs.ts'
import { createGuestCaller } from '../support/resources.ts'

const SECRET = 'TOPSECRETRULE'
const FIELDS = ['email', 'city'].map((key) => ({ key, type: 'string' }))
const SIDE = { name: 'Side', fields: FIELDS }
const EMPTY = { fieldMapping: [], unmappedSourceFields: [], unmappedDestinationFields: [] }

type Caller = typeof call
interface Attacker {
  by: Caller
  pair: Awaited<ReturnType<typeof createSheets>>
}

let victim: TestAccount
let programs: { ofAnotherAccount: string; ofAnotherSpace: string; ofTheEnvironment: string; ofTheSpace: string }
let attackers: Record<string, Attacker>

async function newSavedProgram(by: Caller, destinationSheetId?: string): Promise<string> {
  const rules = [
    { name: 'Secret', type: 'constant', config: { destinationField: 'city', value: SECRET } },
    { name: 'Mail', type: 'assign', config: { sourceField: 'email', destinationField: 'email' } },
  ]
  const destination = destinationSheetId ? { destinationSheetId } : { destination: SIDE }
  return (await must('POST', '/mapping', { source: SIDE, ...destination, save: true, rules }, by)).id
}

beforeAll(async () => {
  await createFreshSpace()
  victim = await createTestAccount()
  const newPairIn = (space: string, by = call) => createSheets({ fields: FIELDS, destination: FIELDS, in: space, by })
  const { id: otherSpace } = await must('POST', '/spaces', { name: 'Other' })
  const victims = createCaller(victim.secretKey)
  programs = {
    ofAnotherAccount: await newSavedProgram(victims),
    ofAnotherSpace: await newSavedProgram(call, (await newPairIn(otherSpace)).destination),
    ofTheEnvironment: await newSavedProgram(call),
    ofTheSpace: await newSavedProgram(call, (await newPairIn(spaceId)).destination),
  }
  attackers = {
    key: { by: call, pair: await newPairIn(spaceId) },
    guest: { by: await createGuestCaller({ id: spaceId }), pair: await newPairIn(spaceId) },
  }
})

const ATTACKS = [
  ['key', 'ofAnotherAccount'],
  ['key', 'ofAnotherSpace'],
  ['guest', 'ofAnotherAccount'],
  ['guest', 'ofAnotherSpace'],
  ['guest', 'ofTheEnvironment'],
  ['guest', 'ofTheSpace'],
] as const

describe.each(ATTACKS)('a %s that names a program %s', (attacker, program) => {
  const getAttack = () => ({ ...attackers[attacker]!, programId: programs[program] })
  const getOwner = () => (program === 'ofAnotherAccount' ? createCaller(victim.secretKey) : call)

  async function expectHidden(ask: (programId: string) => ReturnType<Caller>): Promise<void> {
    const { programId } = getAttack()
    const before = await must('GET', `/mapping/${programId}`, undefined, getOwner())
    const nothing = createUnknownId(programId)
    const [hidden, missing] = [await ask(programId), await ask(nothing)]
    expect(hidden.status, JSON.stringify(hidden.body)).toBe(404)
    expect(JSON.stringify(hidden.body).replaceAll(programId, '')).toBe(
      JSON.stringify(missing.body).replaceAll(nothing, ''),
    )
    expect(await must('GET', `/mapping/${programId}`, undefined, getOwner())).toEqual(before)
  }

  const newPlainJob = async () => {
    const { by, pair } = getAttack()
    const job = { type: 'workbook', operation: 'map', source: pair.workbookId, trigger: 'manual' }
    return (await must('POST', '/jobs', job, by)).id as string
  }
  const planned = async () => {
    const { by, pair } = getAttack()
    return (await must('POST', '/jobs', buildMappingJob(pair), by)).id as string
  }

  it('is rejected in the plan of a job that has no program', async () => {
    const { by } = getAttack()
    const job = await newPlainJob()
    await expectHidden((programId) => by('PUT', `/jobs/${job}/plan`, { ...EMPTY, programId }))
    await expectHidden((programId) => by('PATCH', `/jobs/${job}/plan`, { programId }))
    expect((await must('GET', `/jobs/${job}/plan`, undefined, by)).plan.programId).toBeUndefined()
  })

  it('is rejected in the plan of a job with a program, also after that was deleted', async () => {
    const { by } = getAttack()
    const job = await planned()
    const { programId: own } = (await must('GET', `/jobs/${job}/plan`, undefined, by)).plan
    await expectHidden((programId) => by('PUT', `/jobs/${job}/plan`, { ...EMPTY, programId }))
    await must('DELETE', `/mapping/${own}`)
    await expectHidden((programId) => by('PUT', `/jobs/${job}/plan`, { ...EMPTY, programId }))
    await expectHidden((programId) => by('PATCH', `/jobs/${job}/plan`, { programId }))
  })

  it('is rejected in the config of a job', async () => {
    const { by, pair } = getAttack()
    for (const trigger of ['manual', 'immediate'])
      await expectHidden((programId) => by('POST', '/jobs', buildMappingJob(pair, { programId }, { trigger })))
    const job = await newPlainJob()
    const config = buildMappingJob(pair).config
    await expectHidden((programId) => by('PATCH', `/jobs/${job}`, { config: { ...config, programId } }))
  })

  it.each([true, false])(
    'does not cause a read, recompute or acceptance by a job whose plan names it anyway (canRecompute: %s)',
    async (canRecompute) => {
      const { by, pair, programId } = getAttack()
      const before = await must('GET', `/mapping/${programId}`, undefined, getOwner())
      const job = await newPlainJob()
      await must('PUT', `/jobs/${job}/plan`, EMPTY, by)
      const { JobPlans } = await import('../../lib/entities/jobs.ts')
      const { begin } = await import('../../lib/tx.ts')
      const { accountId, userId: actorId } = victim
      const tx = begin({ accountId, actorId })
      const plan = (await JobPlans.get(job))!
      tx.write(JobPlans.replace(job, plan, { ...plan, programId }))
      await tx.commit()
      const { config } = buildMappingJob(pair, { canRecompute })
      await must('PATCH', `/jobs/${job}`, { config }, by)
      await must('POST', `/jobs/${job}/execute`, undefined, by)
      expect(await waitForJob(job, by)).toMatchObject({ status: 'failed' })
      expect(JSON.stringify(await readValues(pair.destination, 'email', 'city'))).not.toContain(SECRET)
      expect(await must('GET', `/mapping/${programId}`, undefined, getOwner())).toEqual(before)
    },
  )
})

describe('a program that a caller can name', () => {
  it('is copied by the plan of a job, for callers that can read programs', async () => {
    const pair = await createSheets({ fields: FIELDS, destination: FIELDS })
    const job = await must('POST', '/jobs', buildMappingJob(pair))
    const own = (await must('GET', `/jobs/${job.id}/plan`)).plan.programId
    const { plan } = await must('PATCH', `/jobs/${job.id}/plan`, { programId: programs.ofTheEnvironment })
    expect(plan.programId).toBe(own)
    await executeJob(job.id)
    expect(await readValues(pair.destination, 'city')).toEqual([[SECRET], [SECRET]])
  })

  it("is the job's own, sent back with its plan by a guest that cannot read programs", async () => {
    const { by, pair } = attackers.guest!
    const job = await must('POST', '/jobs', buildMappingJob(pair), by)
    const { plan } = await must('GET', `/jobs/${job.id}/plan`, undefined, by)
    expect((await must('PUT', `/jobs/${job.id}/plan`, plan, by)).plan.programId).toBe(plan.programId)
    expect(await executeJob(job.id, by)).toMatchObject({ status: 'completed' })
  })
})
