/** A job works with its own program: others are named through the rights of the caller, and never changed by the job. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, type TestAccount } from '../support/api.ts'
import { newIdLike } from '../support/foreign.ts'
import { call, ended, executed, freshSpace, mapping, must, sheets, spaceId, valuesOf } from '../support/mapping-jobs.ts'

const SECRET = 'TOPSECRETRULE'
const FIELDS = ['email', 'city'].map((key) => ({ key, type: 'string' }))
const SIDE = { name: 'Side', fields: FIELDS }
const EMPTY = { fieldMapping: [], unmappedSourceFields: [], unmappedDestinationFields: [] }

type Caller = typeof call
interface Attacker {
  by: Caller
  /** Where it works: a workbook with two sheets. */
  pair: Awaited<ReturnType<typeof sheets>>
}

let victim: TestAccount
let programs: { ofAnotherAccount: string; ofAnotherSpace: string; ofTheEnvironment: string; ofTheSpace: string }
let attackers: Record<string, Attacker>

const guestOf = async (space: string, name: string): Promise<Caller> => {
  const [guest] = await must('POST', '/guests', {
    email: `${name}@example.com`,
    name,
    spaces: [{ id: space }],
    environmentId: (await must('GET', `/spaces/${spaceId}`)).environmentId,
  })
  return callerOf((await must('GET', `/guests/${guest.id}/token`)).token)
}

/** A saved program with a rule that nobody else should read. */
async function saved(by: Caller, destinationSheetId?: string): Promise<string> {
  const rules = [
    { name: 'Secret', type: 'constant', config: { destinationField: 'city', value: SECRET } },
    { name: 'Mail', type: 'assign', config: { sourceField: 'email', destinationField: 'email' } },
  ]
  const destination = destinationSheetId ? { destinationSheetId } : { destination: SIDE }
  return (await must('POST', '/mapping', { source: SIDE, ...destination, save: true, rules }, by)).id
}

beforeAll(async () => {
  await freshSpace()
  victim = await mintAccount()
  const pairIn = (space: string, by = call) => sheets({ fields: FIELDS, destination: FIELDS, in: space, by })
  const { id: otherSpace } = await must('POST', '/spaces', { name: 'Other' })
  const victims = callerOf(victim.secretKey)
  programs = {
    ofAnotherAccount: await saved(victims),
    ofAnotherSpace: await saved(call, (await pairIn(otherSpace)).destination),
    ofTheEnvironment: await saved(call),
    ofTheSpace: await saved(call, (await pairIn(spaceId)).destination),
  }
  attackers = {
    key: { by: call, pair: await pairIn(spaceId) },
    guest: { by: await guestOf(spaceId, 'guest'), pair: await pairIn(spaceId) },
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
  const parts = () => ({ ...attackers[attacker]!, programId: programs[program] })
  const owner = () => (program === 'ofAnotherAccount' ? callerOf(victim.secretKey) : call)

  /** Asks with the program's id and with one of nothing: the answers differ in the id alone, and the program is as it was. */
  async function expectHidden(ask: (programId: string) => ReturnType<Caller>): Promise<void> {
    const { programId } = parts()
    const before = await must('GET', `/mapping/${programId}`, undefined, owner())
    const nothing = newIdLike(programId)
    const [hidden, missing] = [await ask(programId), await ask(nothing)]
    expect(hidden.status, JSON.stringify(hidden.body)).toBe(404)
    expect(JSON.stringify(hidden.body).replaceAll(programId, '')).toBe(
      JSON.stringify(missing.body).replaceAll(nothing, ''),
    )
    expect(await must('GET', `/mapping/${programId}`, undefined, owner())).toEqual(before)
  }

  const plain = async () => {
    const { by, pair } = parts()
    const job = { type: 'workbook', operation: 'map', source: pair.workbookId, trigger: 'manual' }
    return (await must('POST', '/jobs', job, by)).id as string
  }
  const planned = async () => {
    const { by, pair } = parts()
    return (await must('POST', '/jobs', mapping(pair), by)).id as string
  }

  it('is refused in the plan of a job that has no program', async () => {
    const { by } = parts()
    const job = await plain()
    await expectHidden((programId) => by('PUT', `/jobs/${job}/plan`, { ...EMPTY, programId }))
    await expectHidden((programId) => by('PATCH', `/jobs/${job}/plan`, { programId }))
    expect((await must('GET', `/jobs/${job}/plan`, undefined, by)).plan.programId).toBeUndefined()
  })

  it('is refused in the plan of a job with a program, also once that was deleted', async () => {
    const { by } = parts()
    const job = await planned()
    const { programId: own } = (await must('GET', `/jobs/${job}/plan`, undefined, by)).plan
    await expectHidden((programId) => by('PUT', `/jobs/${job}/plan`, { ...EMPTY, programId }))
    await must('DELETE', `/mapping/${own}`)
    await expectHidden((programId) => by('PUT', `/jobs/${job}/plan`, { ...EMPTY, programId }))
    await expectHidden((programId) => by('PATCH', `/jobs/${job}/plan`, { programId }))
  })

  it('is refused in the config of a job', async () => {
    const { by, pair } = parts()
    for (const trigger of ['manual', 'immediate'])
      await expectHidden((programId) => by('POST', '/jobs', mapping(pair, { programId }, { trigger })))
    const job = await plain()
    const config = mapping(pair).config
    await expectHidden((programId) => by('PATCH', `/jobs/${job}`, { config: { ...config, programId } }))
  })

  it.each([true, false])(
    'does not have it read, recomputed or accepted by a job whose plan names it all the same (canRecompute: %s)',
    async (canRecompute) => {
      const { by, pair, programId } = parts()
      const before = await must('GET', `/mapping/${programId}`, undefined, owner())
      const job = await plain()
      await must('PUT', `/jobs/${job}/plan`, EMPTY, by)
      const { JobPlans } = await import('../../lib/entities/jobs.ts')
      const { begin } = await import('../../lib/tx.ts')
      const { accountId, userId: actorId } = victim
      const tx = begin({ accountId, actorId })
      const plan = (await JobPlans.get(job))!
      tx.write(JobPlans.replace(job, plan, { ...plan, programId }))
      await tx.commit()
      const { config } = mapping(pair, { canRecompute })
      await must('PATCH', `/jobs/${job}`, { config }, by)
      await must('POST', `/jobs/${job}/execute`, undefined, by)
      expect(await ended(job, by)).toMatchObject({ status: 'failed' })
      expect(JSON.stringify(await valuesOf(pair.destination, 'email', 'city'))).not.toContain(SECRET)
      expect(await must('GET', `/mapping/${programId}`, undefined, owner())).toEqual(before)
    },
  )
})

describe('a program that a caller may name', () => {
  it('is taken over by the plan of a job, for those who may read programs', async () => {
    const pair = await sheets({ fields: FIELDS, destination: FIELDS })
    const job = await must('POST', '/jobs', mapping(pair))
    const own = (await must('GET', `/jobs/${job.id}/plan`)).plan.programId
    const { plan } = await must('PATCH', `/jobs/${job.id}/plan`, { programId: programs.ofTheEnvironment })
    expect(plan.programId).toBe(own)
    await executed(job.id)
    expect(await valuesOf(pair.destination, 'city')).toEqual([[SECRET], [SECRET]])
  })

  it("is the job's own, sent back with its plan by a guest that may read no programs", async () => {
    const { by, pair } = attackers.guest!
    const job = await must('POST', '/jobs', mapping(pair), by)
    const { plan } = await must('GET', `/jobs/${job.id}/plan`, undefined, by)
    expect((await must('PUT', `/jobs/${job.id}/plan`, plan, by)).plan.programId).toBe(plan.programId)
    expect(await executed(job.id, by)).toMatchObject({ status: 'completed' })
  })
})
