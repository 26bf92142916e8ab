import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '../support/api.ts'
import { admin, call, createFreshSpace, environmentId, must, mustAsAdmin } from '../support/fresh-account.ts'
import { startOwnPlatform } from '../support/own-platform.ts'
import { createSheet, readColumn } from '../support/resources.ts'

const MODEL = 'example.model-v1:0'

interface ConverseRequest {
  system: { text: string }[]
  messages: { role: string; content: Record<string, { status?: string; toolUseId?: string }>[] }[]
  toolConfig: { tools: { toolSpec: { name: string } }[] }
}

const requests: { path: string; body: ConverseRequest }[] = []
let replies: { status?: number; body: object; drop?: true }[] = []
let server: Http2Server
let stopPlatform: () => Promise<void>

const reply = (content: object[], stopReason: string) => ({
  body: {
    output: { message: { role: 'assistant', content } },
    ...{ stopReason, usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 }, metrics: { latencyMs: 1 } },
  },
})

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    requests.push({ path: decodeURIComponent(request.url!), body: JSON.parse(Buffer.concat(chunks).toString()) })
    const { status = 200, body, drop } = replies.length > 1 ? replies.shift()! : replies[0]!
    if (drop) return request.stream.session?.destroy()
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(status === 200 ? {} : { 'x-amzn-errortype': 'AccessDeniedException' }),
    })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stopPlatform = await startOwnPlatform({
    BEDROCK_MODELS: `other.model, ${MODEL}`,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
  await createFreshSpace()
  await mustAsAdmin('PUT', '/assistant', { environmentId, provider: 'bedrock', model: MODEL })
}, 90_000)
afterAll(async () => {
  await stopPlatform()
  server.close()
})

async function ask(sheetId: string) {
  const { id } = await must('POST', '/threads', { resourceId: sheetId, status: 'ready' })
  await must('POST', `/threads/${id}/ask`, { text: 'Make all blue.' })
  const message = await waitUntil(async () => (await call('GET', `/threads/${id}/messages`)).body.data[1])
  return { id, message, proposals: await must('GET', `/threads/${id}/proposals`) }
}

it('proposes changes by the Converse API of Bedrock', async () => {
  const { sheetId } = await createSheet([{ key: 'color', type: 'string' }])
  await must('POST', `/sheets/${sheetId}/records`, [{ color: 'red' }])
  const input = { sheetId, values: { color: 'blue' } }
  replies = [
    reply(
      [
        { toolUse: { toolUseId: 'use-1', name: 'no_such_tool', input: {} } },
        { toolUse: { toolUseId: 'use-2', name: 'propose_set_values', input } },
      ],
      'tool_use',
    ),
    reply([{ text: 'One change.' }], 'end_turn'),
  ]
  const { id, message, proposals } = await ask(sheetId)
  expect(message).toMatchObject({
    content: { text: 'One change.' },
    metadata: { provider: 'bedrock', model: MODEL, modelCalls: 2, inputTokens: 14, outputTokens: 6 },
  })
  const [first, second] = requests.map(({ body }) => body)
  expect(requests[0]!.path).toBe(`/model/${MODEL}/converse`)
  expect(first!.toolConfig.tools.map(({ toolSpec }) => toolSpec.name)).toContain('propose_set_values')
  expect(second!.messages.at(-1)!.content.map(({ toolResult }) => [toolResult!.toolUseId, toolResult!.status])).toEqual(
    [
      ['use-1', 'error'],
      ['use-2', 'success'],
    ],
  )
  await must('POST', `/threads/${id}/proposals/${proposals[0].id}/apply`)
  expect(await readColumn(sheetId, 'color')).toEqual(['blue'])
})

it('says which status Bedrock responded with', async () => {
  const { sheetId } = await createSheet()
  replies = [{ status: 403, body: { message: 'No access to the model.' } }]
  const { message, proposals } = await ask(sheetId)
  expect([message.content.text, message.metadata.problem, proposals]).toEqual([
    expect.stringContaining('403'),
    true,
    [],
  ])
})

it('says that Bedrock cannot be reached', async () => {
  const { sheetId } = await createSheet()
  replies = [{ body: {}, drop: true }]
  const { message, proposals } = await ask(sheetId)
  expect([message.content.text, message.metadata.problem, proposals]).toEqual([
    expect.stringMatching(/^The model could not be reached: The request failed: .* Nothing was proposed\.$/),
    true,
    [],
  ])
})

it('refuses models that the operator does not allow', async () => {
  const refused = await admin('PUT', '/assistant', { environmentId, provider: 'bedrock', model: 'expensive.model' })
  expect([refused.status, refused.body.errors[0].key]).toEqual([400, 'model'])
})
