/**
 * Checks that request generators miss (after RESTler's checkers): children of another parent, resources of another
 * tenant, leftovers of rejected requests, and all links of a resource until after its deletion.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import { buildPath, type Contract } from '../../schemas/kit/endpoint.ts'
import { ErrorBody } from '../../schemas/kit/error-codes.ts'
import { buildLinks, findCreatedIdName, type Link } from '../../scripts/reference/links.ts'
import { createCaller } from '../support/api.ts'
import { createFixture, type Fixture, fillExample } from '../support/fixture.ts'

let mine: Fixture
let others: Fixture
beforeAll(async () => {
  mine = await createFixture()
  others = await createFixture()
})

const getParameters = (contract: Contract): string[] =>
  [...buildPath(contract).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
const guarded = endpoints.filter(({ policy, bodyType }) => 'on' in policy && bodyType !== 'multipart')

function callExampleWith(
  contract: Contract,
  change: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown } = {},
  token = mine.token,
) {
  const { params = {}, query = {}, body } = fillExample(contract.example, mine.ids)
  const given = { ...params, ...change.params }
  const path = buildPath(contract)
    .replace(/^\/api(\/v1)?/, '')
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name]!))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...change.query }))
    for (const one of [value].flat()) search.append(name, one)
  const sent = 'body' in change ? change.body : body
  const raw = contract.bodyType === 'jsonl' ? Buffer.from(String(sent)) : sent
  return createCaller(token)(contract.method, `${path}${search.size > 0 ? `?${search}` : ''}`, raw)
}

const nested = guarded.filter((contract) => getParameters(contract).length > 1)

describe('child of another parent', () => {
  it.each(nested.map((contract) => [contract.id, contract] as const))('is not found by %s', async (_, contract) => {
    const last = getParameters(contract).at(-1)!
    const foreign = fillExample(contract.example, others.ids).params![last]!
    if (foreign === fillExample(contract.example, mine.ids).params![last]) return
    const response = await callExampleWith(contract, { params: { [last]: foreign } })
    expect(response.status, JSON.stringify(response.body)).toBe(404)
    expect(ErrorBody.safeParse(response.body).success).toBe(true)
  })
})

const LISTS = [
  'spaces',
  'jobs',
  'webhooks',
  'guests',
  'agents',
  'apps',
  'files',
  'workbooks',
  'data-clips',
  'environments',
]

async function countResources(): Promise<Record<string, unknown>> {
  const { environmentId } = mine.ids
  const counted = LISTS.map(async (name) => {
    const { body } = await createCaller(mine.token)('GET', `/${name}?environmentId=${environmentId}&pageSize=1000`)
    return [name, (body.data ?? body).length] as const
  })
  return Object.fromEntries(await Promise.all(counted))
}

const creates = guarded.filter(
  ({ method, body, example, bodyType }) =>
    method === 'POST' &&
    body &&
    !bodyType &&
    typeof example.body === 'object' &&
    example.body !== null &&
    !Array.isArray(example.body),
)

describe('rejected request', () => {
  it.each(creates.map((contract) => [contract.id, contract] as const))(
    'leaves nothing behind after %s',
    async (_, contract) => {
      const body = fillExample(contract.example.body, mine.ids) as Record<string, unknown>
      const before = await countResources()
      for (const key of Object.keys(body)) {
        const wrong = contract.body!.safeParse({ ...body, [key]: { nothing: [{ of: 'this' }] } })
        if (wrong.success) continue
        const response = await callExampleWith(contract, { body: { ...body, [key]: { nothing: [{ of: 'this' }] } } })
        expect(response.status, `${key}: ${JSON.stringify(response.body)}`).toBeGreaterThanOrEqual(400)
        expect(response.status, `${key}: ${JSON.stringify(response.body)}`).toBeLessThan(500)
      }
      expect(await countResources()).toEqual(before)
    },
  )
})

const byId = new Map<string, Contract>(endpoints.map((contract) => [contract.id, contract]))
const creators = guarded.filter((contract) => Object.keys(buildLinks(contract, endpoints)).length > 0)

function resolveLinkValues(
  { parameters }: Link,
  creator: Contract,
  body: unknown,
): Record<'params' | 'query', Record<string, string>> {
  const values = { params: {} as Record<string, string>, query: {} as Record<string, string> }
  const requestParams = fillExample(creator.example, mine.ids).params ?? {}
  for (const [name, from] of Object.entries(parameters)) {
    const [place, key] = name.split('.') as [string, string]
    const value = from.startsWith('$request.path.')
      ? requestParams[from.slice('$request.path.'.length)]!
      : from
          .split('#/')[1]!
          .split('/')
          .reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], body)
    values[place === 'path' ? 'params' : 'query'][key] = String(value)
  }
  return values
}

describe('created resource', () => {
  it.each(creators.map((contract) => [contract.id, contract] as const))(
    'is reachable by the links of %s, but not for another account or after its deletion',
    async (_, creator) => {
      const created = await callExampleWith(creator)
      expect(created.status, JSON.stringify(created.body)).toBe(200)
      const name = findCreatedIdName(creator, endpoints)!
      const links = Object.entries(buildLinks(creator, endpoints)).flatMap(([id, link]) => {
        const to = byId.get(id)!
        const values = resolveLinkValues(link, creator, created.body)
        return getParameters(to).includes(name) ? [{ to, values }] : []
      })
      const reads = links.filter(({ to }) => to.method === 'GET')
      const isOwnPath = (to: Contract) => buildPath(to) === `${buildPath(creator)}/{${name}}`
      for (const { to, values } of reads) {
        const response = await callExampleWith(to, values)
        expect(response.status, `${to.id}: ${JSON.stringify(response.body)}`).toBeLessThan(500)
        if (isOwnPath(to)) expect(response.status, `${to.id}: ${JSON.stringify(response.body)}`).toBe(200)
      }
      for (const { to, values } of links) {
        const response = await callExampleWith(to, values, others.token)
        expect(response.status, `${to.id} by a stranger: ${JSON.stringify(response.body)}`).toBe(404)
      }
      const end = links.find(({ to }) => to.method === 'DELETE' && isOwnPath(to))
      if (!end) return
      const ended = await callExampleWith(end.to, end.values)
      expect(ended.status, JSON.stringify(ended.body)).toBe(200)
      for (const { to, values } of links) {
        const response = await callExampleWith(to, values)
        expect(response.status, `${to.id} after its end: ${JSON.stringify(response.body)}`).toBe(404)
      }
    },
  )
})
