/**
 * Environment of the `lib/auth` tests in this process: DynamoDB with the table, KMS with a key, and a recording bus.
 * Import the code under test only after `startAuthCloud()`, which sets the environment. The file's last test ends it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { ApiError } from '../../lib/core/errors.ts'
import { startDynamodb } from '../../packages/local-cloud/src/dynamodb/index.ts'
import { startKms } from '../../packages/local-cloud/src/kms.ts'
import { createTable, ENVIRONMENT } from './records.ts'
import { bypassSockets } from './without-sockets.ts'

export interface AuthCloud {
  requests: string[]
  events: { topic: string; context: Record<string, unknown>; payload: unknown }[]
  reset(): void
}

export async function startAuthCloud(extraEnvironment: Record<string, string> = {}): Promise<AuthCloud> {
  const database = await startDynamodb({})
  const folder = mkdtempSync(join(tmpdir(), 'wharf-auth-'))
  const keys = startKms({ folder })
  keys.ensureKey('sealing')
  const cloud: Pick<AuthCloud, 'requests' | 'events'> = { requests: [], events: [] }
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    const [service, operation] = String(req.headers['x-amz-target']).split('.') as [string, string]
    if (service === 'AWSEvents') return void recordEvents(cloud, req, res)
    if (service === 'TrentService') return void keys.handle(req, res)
    cloud.requests.push(operation)
    void database.handle(req, res)
  }
  const server = createServer(serve)
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const AWS_ENDPOINT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const name of ['MAIL_FROM', 'GUEST_URL', 'CONSOLE_URL', 'RATE_LIMIT', 'ADDRESS_RATE_LIMIT'])
    delete process.env[name]
  const SEALING_KEY = 'arn:aws:kms:us-east-1:000000000000:key/sealing'
  Object.assign(process.env, ENVIRONMENT, { AWS_ENDPOINT_URL, SEALING_KEY, LOG_LEVEL: 'SILENT' }, extraEnvironment)
  const { dynamo } = await import('../../lib/table/client.ts')
  bypassSockets(dynamo, serve)
  await createTable(dynamo, ['gsi1', 'gsi2'])
  const reset = () => {
    cloud.requests.length = 0
    cloud.events.length = 0
  }
  reset()
  afterAll(async () => {
    dynamo.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { ...cloud, reset }
}

async function recordEvents({ events }: Pick<AuthCloud, 'events'>, req: IncomingMessage, res: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  const { Entries } = JSON.parse(Buffer.concat(chunks).toString()) as { Entries: { Detail: string }[] }
  for (const { Detail } of Entries) events.push(JSON.parse(Detail))
  res.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
  res.end(JSON.stringify({ FailedEntryCount: 0, Entries: Entries.map((_, index) => ({ EventId: String(index) })) }))
}

export async function catchProblem(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'none'
  } catch (error) {
    const { status, problems } = error as ApiError
    return `${status} ${problems[0]!.key}: ${problems[0]!.message}`
  }
}
