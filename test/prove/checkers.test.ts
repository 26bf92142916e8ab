/**
 * What generators of requests do not look for (after RESTler's checkers): a child of another parent, another tenant's thing below
 * one's own, what a refused request leaves behind, and every link of a thing from its making until after its end.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Link, linksOf, madeBy } from '../../lib/reference/links.ts'
import { type Contract, pathOf } from '../../schemas/endpoint.ts'
import { ErrorBody } from '../../schemas/errors.ts'
import { endpoints } from '../../schemas/index.ts'
import { callerOf } from '../support/api.ts'
import { type Fixture, filled, fixture } from '../support/fixture.ts'

let mine: Fixture
let others: Fixture
beforeAll(async () => {
  mine = await fixture()
  others = await fixture()
})

const parametersOf = (contract: Contract): string[] =>
  [...pathOf(contract).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
const guarded = endpoints.filter(({ policy, bodyType }) => 'on' in policy && bodyType !== 'multipart')

/** Calls an endpoint by its example; `change` has the last word about path and body. */
function callBy(
  contract: Contract,
  change: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown } = {},
  token = mine.token,
) {
  const { params = {}, query = {}, body } = filled(contract.example, mine.ids)
  const given = { ...params, ...change.params }
  const path = pathOf(contract)
    .replace(/^\/api(\/v1)?/, '')
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name]!))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...change.query }))
    for (const one of [value].flat()) search.append(name, one)
  const sent = 'body' in change ? change.body : body
  const raw = contract.bodyType === 'jsonl' ? Buffer.from(String(sent)) : sent
  return callerOf(token)(contract.method, `${path}${search.size > 0 ? `?${search}` : ''}`, raw)
}

const nested = guarded.filter((contract) => parametersOf(contract).length > 1)

describe('a child below another parent', () => {
  it.each(nested.map((contract) => [contract.id, contract] as const))('%s does not find it', async (_, contract) => {
    const last = parametersOf(contract).at(-1)!
    const foreign = filled(contract.example, others.ids).params![last]!
    if (foreign === filled(contract.example, mine.ids).params![last]) return
    const answer = await callBy(contract, { params: { [last]: foreign } })
    expect(answer.status, JSON.stringify(answer.body)).toBe(404)
    expect(ErrorBody.safeParse(answer.body).success).toBe(true)
  })
})

/** Of every kind a number, so that what is there more than before is seen. */
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

async function things(): Promise<Record<string, unknown>> {
  const { environmentId } = mine.ids
  const counted = LISTS.map(async (name) => {
    const { body } = await callerOf(mine.token)('GET', `/${name}?environmentId=${environmentId}&pageSize=1000`)
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

describe('a refused request', () => {
  it.each(creates.map((contract) => [contract.id, contract] as const))('%s leaves nothing', async (_, contract) => {
    const body = filled(contract.example.body, mine.ids) as Record<string, unknown>
    const before = await things()
    for (const key of Object.keys(body)) {
      const wrong = contract.body!.safeParse({ ...body, [key]: { nothing: [{ of: 'this' }] } })
      if (wrong.success) continue
      const answer = await callBy(contract, { body: { ...body, [key]: { nothing: [{ of: 'this' }] } } })
      expect(answer.status, `${key}: ${JSON.stringify(answer.body)}`).toBeGreaterThanOrEqual(400)
      expect(answer.status, `${key}: ${JSON.stringify(answer.body)}`).toBeLessThan(500)
    }
    expect(await things()).toEqual(before)
  })
})

const byId = new Map<string, Contract>(endpoints.map((contract) => [contract.id, contract]))
const makers = guarded.filter((contract) => Object.keys(linksOf(contract, endpoints)).length > 0)

/** What a link's values are, after a request by the maker's example. */
function valuesOf(
  { parameters }: Link,
  maker: Contract,
  body: unknown,
): Record<'params' | 'query', Record<string, string>> {
  const values = { params: {} as Record<string, string>, query: {} as Record<string, string> }
  const asked = filled(maker.example, mine.ids).params ?? {}
  for (const [name, from] of Object.entries(parameters)) {
    const [place, key] = name.split('.') as [string, string]
    const value = from.startsWith('$request.path.')
      ? asked[from.slice('$request.path.'.length)]!
      : from
          .split('#/')[1]!
          .split('/')
          .reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], body)
    values[place === 'path' ? 'params' : 'query'][key] = String(value)
  }
  return values
}

describe('a thing that was made', () => {
  it.each(makers.map((contract) => [contract.id, contract] as const))(
    '%s: its links lead to it, nobody else is led there, and after its end nobody is',
    async (_, maker) => {
      const made = await callBy(maker)
      expect(made.status, JSON.stringify(made.body)).toBe(200)
      const name = madeBy(maker, endpoints)!
      const links = Object.entries(linksOf(maker, endpoints)).flatMap(([id, link]) => {
        const to = byId.get(id)!
        const values = valuesOf(link, maker, made.body)
        return parametersOf(to).includes(name) ? [{ to, values }] : []
      })
      const reads = links.filter(({ to }) => to.method === 'GET')
      const own = (to: Contract) => pathOf(to) === `${pathOf(maker)}/{${name}}`
      for (const { to, values } of reads) {
        const answer = await callBy(to, values)
        expect(answer.status, `${to.id}: ${JSON.stringify(answer.body)}`).toBeLessThan(500)
        if (own(to)) expect(answer.status, `${to.id}: ${JSON.stringify(answer.body)}`).toBe(200)
      }
      for (const { to, values } of links) {
        const answer = await callBy(to, values, others.token)
        expect(answer.status, `${to.id} by a stranger: ${JSON.stringify(answer.body)}`).toBe(404)
      }
      const end = links.find(({ to }) => to.method === 'DELETE' && own(to))
      if (!end) return
      const ended = await callBy(end.to, end.values)
      expect(ended.status, JSON.stringify(ended.body)).toBe(200)
      for (const { to, values } of links) {
        const answer = await callBy(to, values)
        expect(answer.status, `${to.id} after its end: ${JSON.stringify(answer.body)}`).toBe(404)
      }
    },
  )
})
