import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Service } from '../../packages/local-cloud/src/server.ts'
import type { Credentials } from './signed-request.ts'

export interface Target {
  endpoint: string
  close(): Promise<void>
}

const { CLOUD, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env

export const CREDENTIALS: Credentials =
  CLOUD && AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY
    ? { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
    : { accessKeyId: 'test', secretAccessKey: 'test' }

export const clientConfig = (endpoint: string, credentials = CREDENTIALS) => ({
  endpoint,
  region: 'us-east-1',
  credentials,
  maxAttempts: 1,
})

export async function conformanceTarget(start: () => Promise<Service> | Service): Promise<Target> {
  if (process.env.CLOUD) return { endpoint: process.env.CLOUD, close: async () => {} }
  const service = await start()
  // A busy test must not lose connections to Node's default of 5 s.
  const server = createServer({ keepAliveTimeout: 75_000 }, (req, res) => void service.handle(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await service.close()
    },
  }
}
