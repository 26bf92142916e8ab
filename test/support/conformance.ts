/**
 * Where a conformance suite finds its cloud: `CLOUD=http://...` names any endpoint (LocalStack, MiniStack, DynamoDB Local),
 * otherwise the suite starts the embedded service by itself, on a free port.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Service } from '../../localstack/cloud/service.ts'

export interface Target {
  endpoint: string
  close(): Promise<void>
}

export const clientConfig = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
})

/** Serves one embedded service on 127.0.0.1 and a free port; with CLOUD set, answers that endpoint and starts nothing. */
export async function conformanceTarget(start: () => Promise<Service> | Service): Promise<Target> {
  if (process.env.CLOUD) return { endpoint: process.env.CLOUD, close: async () => {} }
  const service = await start()
  const server = createServer((req, res) => void service.handle(req, res))
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
