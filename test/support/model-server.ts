import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelRequest {
  headers: IncomingHttpHeaders
  body: { model: string; messages: { role: string; content: string }[]; tools: { function: { name: string } }[] }
}
type Response = { status?: number; text: string }
export type Step = (request: ModelRequest) => Response | Promise<Response>

export interface ModelServer {
  url: string
  requests: ModelRequest[]
  script(...steps: Step[]): void
  close(): void
}

const complete = (message: object) => ({
  text: JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: 100, completion_tokens: 10 } }),
})

export const say =
  (content: string): Step =>
  () =>
    complete({ content })

let calls = 0
/** @param args a text is sent as it is, such as invalid JSON */
export const callTool =
  (name: string, args: object | string = {}): Step =>
  () =>
    complete({
      content: null,
      tool_calls: [
        {
          id: `call-${++calls}`,
          type: 'function',
          function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
        },
      ],
    })

export async function startModelServer(): Promise<ModelServer> {
  let steps: Step[] = []
  const requests: ModelRequest[] = []
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const received = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) }
    requests.push(received)
    const step = steps.length > 1 ? steps.shift()! : steps[0]!
    const { status = 200, text } = await step(received)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script(...next) {
      steps = next
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
