/** A thousand requests of any kind to everything about records: each is answered as the endpoint's contract says. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApi } from '../../lib/reference/openapi.ts'
import { domainOf, pathOf } from '../../schemas/endpoint.ts'
import { ErrorBody } from '../../schemas/errors.ts'
import { endpoints } from '../../schemas/index.ts'
import { callerOf } from '../support/api.ts'
import { type AnyRequest, requestsTo } from '../support/arbitrary-request.ts'
import { type Fixture, fixture } from '../support/fixture.ts'
import { LETS_IN } from '../support/lets-in.ts'

const DOMAINS = ['records', 'cells', 'streams', 'snapshots', 'commits', 'sheets']
/** They take away what the others are asked about. */
const ENDING = ['sheets.remove', 'sheets.lock', 'snapshots.remove']
const asked = endpoints.filter((contract) => DOMAINS.includes(domainOf(contract)) && !ENDING.includes(contract.id))

type Documented = Record<string, Record<string, { responses: Record<string, unknown> }>>
const paths = openApi(endpoints, '0').paths as Documented
const statuses = new Map(
  asked.map((contract) => [
    contract.id as string,
    Object.keys(paths[pathOf(contract)]![contract.method.toLowerCase()]!.responses).map(Number),
  ]),
)

let world: Fixture
let call: ReturnType<typeof callerOf>

beforeAll(async () => {
  world = await fixture()
  call = callerOf(world.account.secretKey)
})

async function check({ endpoint, method, path, query, body }: AnyRequest) {
  const raw = body === undefined ? undefined : Buffer.from(body)
  const answer = await call(method, `${path}?${query}`, raw, { 'content-type': 'application/json' })
  const seen = `${endpoint} ${method} ${path}?${query} ${body}: ${answer.status} ${JSON.stringify(answer.body)}`
  expect(answer.status, seen).toBeLessThan(500)
  expect(statuses.get(endpoint), seen).toContain(answer.status)
  if (answer.status >= 400) expect(ErrorBody.safeParse(answer.body).success, seen).toBe(true)
}

describe('any request about records', () => {
  it('is answered with a status its endpoint documents, and an error in the shape of errors', async () => {
    const { ids } = world
    const texts = [
      // Nobody's name is a key: what lets somebody in is looked for in the table when all tests have ended.
      ...Object.values(ids).filter((value) => value.search(LETS_IN) < 0),
      'email',
      'age',
      'people',
      'true',
      '1',
      'asc',
      'none',
      '__k',
      '__d',
      '__i',
      '__m',
    ]
    const known = fc.constantFrom(...texts)
    const requests = fc.oneof(...asked.map((contract) => requestsTo(contract, ids, known)))
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: 10, maxLength: 10 }), async (batch) => {
        await Promise.all(batch.map(check))
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 100), interruptAfterTimeLimit: 20_000, endOnFailure: true },
    )
  }, 60_000)
})
