/** A whole conversation in the protocol of OpenAI, replayed: the model must be sent what it was sent when it was recorded. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '../support/api.ts'
import { call, createFreshSpace, environmentId, must, mustAsAdmin } from '../support/fresh-account.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { createSheet, readColumn } from '../support/resources.ts'

interface Exchange {
  sent: unknown[]
  replied: object
}

const recorded = JSON.parse(readFileSync('test/api/conversations/fix-colors.json', 'utf8')) as Exchange[]

let model: ModelServer

beforeAll(async () => {
  model = await startModelServer()
  await createFreshSpace({ name: 'Recorded' })
  const settings = { provider: 'openai', url: model.url, model: 'recorded' }
  await mustAsAdmin('PUT', '/assistant', { environmentId, ...settings })
})
afterAll(() => model.close())

it('leads from a question over calls of tools to a proposal that a person applies', async () => {
  const fields = [
    { key: 'name', type: 'string' },
    { key: 'color', type: 'enum', config: { options: [{ value: 'red' }, { value: 'blue' }] } },
  ]
  const { sheetId } = await createSheet(fields)
  const rows = ['Red', 'blue', 'Red'].map((color, index) => ({ name: `Row ${index}`, color }))
  await must('POST', `/sheets/${sheetId}/records`, rows)
  model.script(
    ...recorded.map(({ replied }) => () => {
      const completion = { choices: [{ message: replied }], usage: { prompt_tokens: 100, completion_tokens: 10 } }
      return { text: JSON.stringify(completion).replaceAll('SHEET', sheetId) }
    }),
  )
  const { id } = await must('POST', '/threads', { resourceId: sheetId, status: 'ready' })
  await must('POST', `/threads/${id}/ask`, { text: 'Which colors are wrong?' })
  const reply = await waitUntil(async () => (await call('GET', `/threads/${id}/messages`)).body.data[1])
  expect(reply.content.text).toMatch(/^Two colors/)

  const exchanges = model.requests.map(({ body: { messages } }, index) => {
    const known = model.requests[index - 1]?.body.messages.length ?? 1
    const sent = JSON.stringify(messages.slice(known)).replaceAll(sheetId, 'SHEET')
    return { sent: JSON.parse(sent), replied: recorded[index]!.replied }
  })
  expect(JSON.stringify(exchanges)).not.toContain('us_')
  expect(exchanges).toEqual(recorded)

  const [proposal] = await must('GET', `/threads/${id}/proposals`)
  expect(proposal).toMatchObject({ kind: 'edit', preview: { counts: { records: 2 } } })
  await must('POST', `/threads/${id}/proposals/${proposal.id}/apply`)
  expect(await readColumn(sheetId, 'color')).toEqual(['red', 'blue', 'red'])
})
