import { beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '../support/api.ts'
import { account, admin, createFreshAccount, mustAsAdmin as must } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

let here: Place
let there: Place

interface Place {
  environmentId: string
  spaceId: string
  sheetId: string
  agentId: string
}

const AGENT = {
  topics: ['space:archived'],
  compiler: 'js',
  slug: 'apart',
  source: 'module.exports = { routeEvent: async () => {} }',
}

async function newWorkbookIn(environmentId: string): Promise<Place> {
  const { id: spaceId } = await must('POST', '/spaces', { environmentId, name: 'Apart' })
  const { sheetId } = await createSheet(undefined, { space: spaceId, by: admin })
  const agent = await must('POST', `/agents?environmentId=${environmentId}`, AGENT)
  await must('POST', `/sheets/${sheetId}/records`, [{ a: { value: 'x' } }])
  return { environmentId, spaceId, sheetId, agentId: agent.id }
}

beforeAll(async () => {
  await createFreshAccount()
  const environments = await must('GET', '/environments')
  const other = environments.find(({ id }: { id: string }) => id !== account.environmentId)
  here = await newWorkbookIn(account.environmentId)
  there = await newWorkbookIn(other.id)
})

const eventIn = ({ environmentId, sheetId }: Place) =>
  waitUntil(async () => {
    const path = `/events?environmentId=${environmentId}&topic=commit:created&includeAcknowledged=true&pageSize=100`
    const events = await must('GET', path)
    return events.find(({ context }: { context: { sheetId: string } }) => context.sheetId === sheetId)?.id as string
  })

describe('POST /events/replay', () => {
  it('does not find a named event of another environment', async () => {
    const [own, foreign] = [await eventIn(here), await eventIn(there)]
    const replay = (eventIds: string[]) =>
      admin('POST', '/events/replay', { environmentId: here.environmentId, eventIds })
    expect((await replay([own])).body.data.replayed).toBe(1)
    expect((await replay([own, foreign])).body.errors).toEqual([
      { key: 'not-found', message: `There is no event ${foreign}.` },
    ])
  })
})

describe('GET /sheets/{id}/records?for=', () => {
  it('does not find an event of another sheet or environment', async () => {
    const own = await eventIn(here)
    const foreign = await eventIn(there)
    expect((await admin('GET', `/sheets/${here.sheetId}/records?for=${own}`)).status).toBe(200)
    const { status, body } = await admin('GET', `/sheets/${here.sheetId}/records?for=${foreign}`)
    expect([status, body.errors[0].message]).toEqual([404, `There is no event ${foreign}.`])
  })
})

describe('GET /jobs?spaceId=', () => {
  it('lists no jobs of a space outside the named environment', async () => {
    const { id } = await must('POST', '/jobs', { type: 'space', operation: 'x', source: there.spaceId })
    const listed = async ({ environmentId }: Place) => {
      const jobs = await must('GET', `/jobs?environmentId=${environmentId}&spaceId=${there.spaceId}`)
      return jobs.map((job: { id: string }) => job.id)
    }
    expect(await listed(there)).toContain(id)
    expect(await listed(here)).toEqual([])
  })
})

describe('POST /secrets', () => {
  it('does not find an agent of another environment', async () => {
    const write = (actorId: string) =>
      admin('POST', '/secrets', { environmentId: here.environmentId, actorId, name: 'KEY', value: 'v' })
    expect((await write(here.agentId)).status).toBe(200)
    const { status, body } = await write(there.agentId)
    expect([status, body.errors[0].message]).toEqual([404, `There is no agent ${there.agentId}.`])
  })
})
