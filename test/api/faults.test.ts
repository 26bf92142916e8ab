/** Failures inside a request: a clear error, and nothing written. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoint } from '../../schemas/kit/endpoint.ts'
import { data, Success, success } from '../../schemas/kit/page.ts'
import * as spaces from '../../schemas/spaces/events.ts'
import { createCaller, getServer, pluck } from '../support/api.ts'
import { account, createFreshAccount } from '../support/fresh-account.ts'

let spaceId: string
let lib: {
  serve: typeof import('../../lib/http/serve.ts').serve
  Spaces: typeof import('../../lib/entities/spaces.ts').Spaces
  spaceContext: typeof import('../../lib/entities/spaces.ts').spaceContext
}

beforeAll(async () => {
  await createFreshAccount()
  getServer()
  lib = { ...(await import('../../lib/http/serve.ts')), ...(await import('../../lib/entities/spaces.ts')) }
  spaceId = (await createCaller(account.secretKey)('POST', '/spaces', { name: 'before' })).body.data.id
})

const broken = endpoint({
  id: 'spaces.break',
  method: 'POST',
  path: '/spaces/{spaceId}/break',
  summary: 'Breaks',
  policy: { can: 'spaces:write', on: 'space', at: 'params.spaceId' },
  params: z.object({ spaceId: z.string() }),
  reply: Success,
  example: { params: { spaceId: '{spaceId}' } },
})

const request = (): APIGatewayProxyEventV2 =>
  ({
    routeKey: 'POST /api/v1/spaces/{spaceId}/break',
    requestContext: { http: { method: 'POST' } },
    headers: { authorization: `Bearer ${account.secretKey}` },
    pathParameters: { spaceId },
    rawQueryString: '',
    isBase64Encoded: false,
  }) as unknown as APIGatewayProxyEventV2

const getSpaceName = async () => (await createCaller(account.secretKey)('GET', `/spaces/${spaceId}`)).body.data.name
const topics = async () =>
  pluck((await createCaller(account.secretKey)('GET', `/events?spaceId=${spaceId}&pageSize=50`)).body.data, 'topic')

describe('a handler', () => {
  it('that throws returns 500 with the error body, and writes and emits nothing', async () => {
    const handler = lib.serve(broken)(async ({ space, tx }) => {
      tx.write(lib.Spaces.replace(space, { ...space, name: 'after' }))
      tx.emit(spaces.updated, lib.spaceContext(space), {
        spaceId: space.id,
        environmentId: space.environmentId,
        changes: [],
      })
      throw new Error('secret detail')
    })
    const answer = await handler(request(), {} as Context)
    expect(answer.statusCode).toBe(500)
    expect(JSON.parse(answer.body!)).toEqual({
      errors: [{ key: 'internal', message: expect.not.stringContaining('secret detail') }],
    })
    expect(await getSpaceName()).toBe('before')
    expect(await topics()).toEqual(['space:created'])
  })

  it('that times out returns 504 and does not claim that nothing was done', async () => {
    const handler = lib.serve(broken)(async () => {
      await sleep(300)
      return success
    })
    const answer = await handler(request(), { getRemainingTimeInMillis: () => 100 } as Context)
    expect(answer.statusCode).toBe(504)
    const [problem] = JSON.parse(answer.body!).errors
    expect(problem.key).toBe('timed-out')
    expect(problem.message).not.toContain('nothing was changed')
  })

  it('whose reply violates its contract returns 500 before anything is written', async () => {
    const contract = endpoint({ ...broken, reply: data(z.object({ id: z.number() })) })
    const handler = lib.serve(contract)(async ({ space, tx }) => {
      tx.write(lib.Spaces.replace(space, { ...space, name: 'after' }))
      return { data: { id: space.id as unknown as number } }
    })
    expect((await handler(request(), {} as Context)).statusCode).toBe(500)
    expect(await getSpaceName()).toBe('before')
  })

  it('that loses a race returns 409 and emits no event', async () => {
    const handler = lib.serve(broken)(async ({ space, tx }) => {
      await createCaller(account.secretKey)('PATCH', `/spaces/${space.id}`, { name: 'the faster one' })
      tx.write(lib.Spaces.replace(space, { ...space, name: 'the slower one' }))
      tx.emit(spaces.archived, lib.spaceContext(space), {})
      return success
    })
    const answer = await handler(request(), {} as Context)
    expect(answer.statusCode).toBe(409)
    expect(JSON.parse(answer.body!).errors[0].key).toBe('conflict')
    expect(await getSpaceName()).toBe('the faster one')
    expect(await topics()).toEqual(['space:created', 'space:updated'])
  })
})
