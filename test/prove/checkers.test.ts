/**
 * What generators of requests do not look for (after RESTler's checkers): a child of another parent, another tenant's thing below
 * one's own, and what a refused request leaves behind.
 */
import { beforeAll, describe, expect, it } from 'vitest'
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
function callBy(contract: Contract, change: { params?: Record<string, string>; body?: unknown } = {}) {
  const { params = {}, query = {}, body } = filled(contract.example, mine.ids)
  const given = { ...params, ...change.params }
  const path = pathOf(contract)
    .replace(/^\/api(\/v1)?/, '')
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name]!))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one)
  const sent = 'body' in change ? change.body : body
  const raw = contract.bodyType === 'jsonl' ? Buffer.from(String(sent)) : sent
  return callerOf(mine.token)(contract.method, `${path}${search.size > 0 ? `?${search}` : ''}`, raw)
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
