import { beforeAll, expect, it } from 'vitest'
import { createTestAccount, getServer } from '../support/api.ts'

let token: string
beforeAll(async () => {
  token = (await createTestAccount()).secretKey
})

const ask = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${getServer().baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as { data: { id: string; name: string }; errors: { key: string; message: string }[] },
  }
}

it('serves a doubled /v1 and doubled slashes like the intended path, with body, query and parameters', async () => {
  const made = await ask('POST', '/v1/v1/spaces', { name: 'Doubled' })
  expect(made.body.data.name).toBe('Doubled')
  for (const path of [
    `/v1/v1/spaces/${made.body.data.id}`,
    `//v1//spaces/${made.body.data.id}`,
    `/v1/v1/v1/spaces/${made.body.data.id}`,
  ]) {
    expect((await ask('GET', path)).body.data).toMatchObject({ id: made.body.data.id })
  }
  expect((await ask('GET', `//v1/events?spaceId=${made.body.data.id}&topic=space:created`)).body.data).toHaveLength(1)
  expect((await ask('GET', '/v1/v1/agents/logs')).status).toBe(200)
})

it('passes on the errors of the resolved path', async () => {
  expect((await ask('GET', '/v1/v1/spaces/us_sp_nothing')).body.errors[0]).toMatchObject({ key: 'not-found' })
  expect((await ask('POST', '/v1/v1/spaces', { name: 5 })).body.errors[0]).toMatchObject({ key: 'name' })
})

it('responds with 404, the method and the path for an unknown path', async () => {
  const answer = await ask('GET', '/v1/v1/nothing/here')
  expect(answer).toMatchObject({
    status: 404,
    body: { errors: [{ key: 'not-found', message: 'There is no endpoint GET /api/v1/nothing/here.' }] },
  })
})

it('names an operation of the public SDK that is not offered', async () => {
  const { publicOperations } = await import('../../schemas/public-operations.ts')
  const others = publicOperations.filter(({ tier }) => tier === '3')
  expect(others).toHaveLength(65)
  for (const { name, method, path } of others) {
    const asked = path.replace('/api', '').replace(/\{\w+\}/g, 'us_x_1')
    const { status, body } = await ask(method, asked)
    expect(status, `${method} ${asked}`).toBe(404)
    expect(body.errors[0]!.message).toBe(`The operation ${name} (${method} /api${asked}) is not supported.`)
  }
})

it('responds with 405 and the methods a path accepts', async () => {
  const answer = await ask('PUT', '/v1/agents')
  expect(answer).toMatchObject({ status: 405, body: { errors: [{ key: 'method-not-allowed' }] } })
  expect(answer.headers.get('allow')!.split(', ').toSorted()).toEqual(['GET', 'POST'])
  expect(answer.body.errors[0]!.message).toContain('/api/v1/agents does not support PUT')
})
