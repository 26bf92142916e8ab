import { DisableRuleCommand, EnableRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { expect, it } from 'vitest'
import { createCaller, createDataCaller, getServer, pluck, waitUntil } from '../support/api.ts'
import { clientConfig } from '../support/conformance.ts'
import { useKillablePlatform } from '../support/own-platform.ts'
import { getCredentials } from '../support/signed-request.ts'

const ROWS = 10_000
const RECORDS_PER_EVENT = 500
const PARTS = ROWS / RECORDS_PER_EVENT

const { local, killAndRestart } = useKillablePlatform()
const must = createDataCaller(() => createCaller(local().environments[0]!.secretKey))

const buildSource = (sheetId: string) => `exports.routeEvent = async ({ context, dataUrl }) => {
  if (context.sheetId !== '${sheetId}') return
  const url = process.env.AGENT_INTERNAL_URL + '/' + dataUrl
  const headers = { authorization: 'Bearer ' + process.env.FLATFILE_BEARER_TOKEN, 'content-type': 'application/json' }
  const send = async (method, body) => {
    const response = await fetch(url, { method, headers, body })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()).data
  }
  const { records } = await send('GET')
  await new Promise((resolve) => setTimeout(resolve, 200))
  const changes = records.map(({ id, values }) => ({ id, values: { name: { value: values.name.value.toUpperCase() } } }))
  await send('PUT', JSON.stringify(changes))
}`

async function createSheet(slug: string) {
  const { id: spaceId } = await must('POST', '/spaces', { name: slug })
  const sheets = [{ name: 'S', slug, fields: [{ key: 'name', type: 'string' }] }]
  const settings = { trackChanges: true }
  const { sheets: made } = await must('POST', '/workbooks', { spaceId, name: 'W', sheets, settings })
  const sheetId: string = made[0].id
  const topics = ['commit:created']
  const agent = await must('POST', '/agents', {
    slug,
    topics,
    source: buildSource(sheetId),
    recordsPerEvent: RECORDS_PER_EVENT,
  })
  const insert = () =>
    must(
      'POST',
      `/sheets/${sheetId}/records`,
      Array.from({ length: ROWS }, (_, row) => ({ name: { value: `name ${row}` } })),
    )
  return { spaceId, sheetId, agentId: agent.id as string, insert }
}

async function readNames(sheetId: string): Promise<string[]> {
  const { columns } = await must('GET', `/sheets/${sheetId}/records/columns?fields=name`)
  return columns.name
}
const EXPECTED = Array.from({ length: ROWS }, (_, row) => `NAME ${row}`)
const countDone = async (sheetId: string) => (await readNames(sheetId)).filter((name) => name.startsWith('NAME')).length

async function listUpdatedIds(spaceId: string): Promise<string[]> {
  const found: string[] = []
  for (let pageNumber = 1; ; pageNumber++) {
    const query = `spaceId=${spaceId}&topic=records:updated&pageSize=100&pageNumber=${pageNumber}`
    const events = await must('GET', `/events?${query}`)
    for (const { id } of events) found.push(...(await must('GET', `/events/${id}/payload`)).recordIds)
    if (events.length < 100) return found
  }
}

async function expectEachRowDone(sheetId: string, spaceId: string, commitId: string): Promise<void> {
  await waitUntil(async () => (await must('GET', `/commits/${commitId}`)).completedAt !== undefined, 240)
  expect(await readNames(sheetId)).toEqual(EXPECTED)
  await waitUntil(async () => new Set(await listUpdatedIds(spaceId)).size === ROWS, 60)
  const completions = await must('GET', `/events?spaceId=${spaceId}&topic=commit:completed&pageSize=100`)
  expect(
    completions.filter(({ payload }: { payload: { commitId: string } }) => payload.commitId === commitId),
  ).toHaveLength(1)
}

it('continues after kills in the middle of the parts, corrects each row and completes the commit once', {
  timeout: 400_000,
}, async () => {
  const { spaceId, sheetId, insert } = await createSheet('killed')
  const { commitId } = await insert()
  for (const share of [0.1, 0.5]) {
    await waitUntil(async () => (await countDone(sheetId)) >= ROWS * share, 120)
    await killAndRestart()
  }
  expect(await countDone(sheetId)).toBeLessThan(ROWS)
  await expectEachRowDone(sheetId, spaceId, commitId)
})

it('delivers dropped parts by a replay, with the same rows if parts are duplicated and shuffled', {
  timeout: 400_000,
}, async () => {
  const { spaceId, sheetId, agentId, insert } = await createSheet('dropped')
  const { cloud, aws } = local()
  const bus = new EventBridgeClient(clientConfig(cloud, getCredentials(aws)))
  const { BUS_NAME, FUNCTION_PREFIX } = getServer().environment
  const rule = { EventBusName: BUS_NAME, Name: `${FUNCTION_PREFIX}${agentId}-1` }
  await bus.send(new DisableRuleCommand(rule))
  const { commitId } = await insert()
  const [event] = await waitUntil(async () => {
    const events = await must('GET', `/events?spaceId=${spaceId}&topic=commit:created`)
    return events.length > 0 && events
  })
  await bus.send(new EnableRuleCommand(rule))
  const parts = [7, 2, 20, 2, 7, 1, 2]
  const partIds = parts.map((part) => `${event.id}.${PARTS}.${part}`)
  await must('POST', `/agents/${agentId}/replay`, { eventIds: partIds })
  const done = RECORDS_PER_EVENT * new Set(parts).size
  await waitUntil(async () => (await countDone(sheetId)) >= done, 60)
  const listDoneIds = async () =>
    new Set(pluck(await must('GET', `/agents/${agentId}/executions?pageSize=100&success=true`), 'eventId'))
  await waitUntil(async () => (await listDoneIds()).size >= new Set(parts).size)
  expect(await countDone(sheetId)).toBe(done)
  expect(await listDoneIds()).toEqual(new Set(partIds))
  expect((await must('GET', `/commits/${commitId}`)).completedAt).toBeUndefined()

  await must('POST', `/agents/${agentId}/replay`, { since: event.createdAt })
  await expectEachRowDone(sheetId, spaceId, commitId)
})
