import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'

interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** `reset` closes the connection, `silent` does not respond. */
type Step =
  | 'reset'
  | 'silent'
  | { status: number; headers?: Record<string, string>; body?: object }
  | ((req: IncomingMessage, res: ServerResponse) => void)

export interface ScriptedServer {
  baseUrl: string
  requests: ReceivedRequest[]
}

export async function startScriptedServer(...steps: Step[]): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (req, res) => {
    const step = steps[requests.length]!
    requests.push({ method: req.method!, url: req.url!, headers: req.headers, body: await text(req) })
    if (step === 'reset') req.socket.destroy()
    else if (typeof step === 'function') step(req, res)
    else if (step !== 'silent') {
      res.writeHead(step.status, { 'content-type': 'application/json', ...step.headers })
      res.end(JSON.stringify(step.body ?? { errors: [{ key: 'error', message: 'Scripted.' }] }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
