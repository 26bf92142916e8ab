/** A deployed agent that corrects one field of every record of a commit, page by page. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '../examples/airports/client.ts'
import type { Local } from '../localstack/seed.ts'
import { waitForResult } from '../test/support/large-jobs.ts'

interface CorrectedSheet {
  sheetId: string
  spaceId: string
}

const buildSource = (sheetId: string, address: string): string => `exports.routeEvent = async (event) => {
  if (event.topic !== 'commit:created' || event.context.sheetId !== '${sheetId}') return
  const url = process.env.AGENT_INTERNAL_URL + '/'
  const headers = { authorization: 'Bearer ' + process.env.FLATFILE_BEARER_TOKEN, 'content-type': 'application/json' }
  const call = async (path, options) => {
    const response = await fetch(new URL(path, url), { headers, ...options })
    if (!response.ok) throw new Error(path + ': ' + response.status + ' ' + (await response.text()))
    return response.json()
  }
  const { data } = await call(event.dataUrl)
  const changed = data.records.map(({ id, values }) =>
    ({ id, values: { phone: { value: values.phone.value.replaceAll('-', '') } } }))
  await call('v1/sheets/${sheetId}/records?for=' + event.id, { method: 'PUT', body: JSON.stringify(changed) })
  await fetch('${address}')
}`

/** Deploys the agent; the result starts it on the newest commit and waits until every record is corrected. */
export async function correctByAgent(
  { environments }: Local,
  client: Client,
  { sheetId, spaceId }: CorrectedSheet,
): Promise<() => Promise<object>> {
  let corrected = 0
  const receiver = createServer((_, res) => {
    corrected++
    res.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => receiver.once('listening', resolve))
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const events = await client.get(`/events?spaceId=${spaceId}&topic=commit:created&pageSize=1000`)
  const eventIds = events.filter((event: { context: object }) => (event.context as CorrectedSheet).sheetId === sheetId)
  const agent = await client.post(`/agents?environmentId=${environments[0]!.id}`, {
    ...{ slug: 'corrector', topics: ['commit:created'], compiler: 'js', source: buildSource(sheetId, address) },
  })
  return async () => {
    try {
      await client.post(`/agents/${agent.id}/replay`, { eventIds: eventIds.map(({ id }: { id: string }) => id) })
      await waitForResult('the correction', async () => (corrected >= eventIds.length ? true : undefined), 10)
      const left = await client.get(`/sheets/${sheetId}/records?pageSize=1&q=${encodeURIComponent('phone like -')}`)
      if (left.records.length > 0) throw new Error('A record was not corrected.')
      return {}
    } finally {
      receiver.close()
      await client.delete(`/agents/${agent.id}`)
    }
  }
}
