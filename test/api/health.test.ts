import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterEach, expect, it, vi } from 'vitest'
import { getServer } from '../support/api.ts'

const at = (path: string) => fetch(new URL(path, getServer().baseUrl))
afterEach(() => void vi.restoreAllMocks())

it('is alive, without authentication', async () => {
  const answer = await at('/health')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ status: 'ok' })
})

it('is ready while table, bucket and bus respond, and returns nothing else', async () => {
  const answer = await at('/health/ready')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ status: 'ready', checks: { table: 'ok', bucket: 'ok', bus: 'ok' } })
})

it('names the failed check, but not the cause', async () => {
  getServer()
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockRejectedValue(new Error('secret detail') as never)
  vi.resetModules()
  const { ready } = await import('../../functions/health.ts')
  const requestContext = { http: { method: 'GET', path: '/health/ready', sourceIp: '127.0.0.1' } }
  const answer = await ready({ headers: {}, rawQueryString: '', requestContext } as never, {} as never)
  expect(answer.statusCode).toBe(503)
  expect(JSON.parse(answer.body!)).toEqual({ errors: [{ key: 'table', message: 'The table is not responding.' }] })
})
