/** Random requests to the record endpoints: each response matches its contract. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import { buildPath, getDomain } from '../../schemas/kit/endpoint.ts'
import { ErrorBody } from '../../schemas/kit/error-codes.ts'
import { buildOpenApi } from '../../scripts/reference/openapi.ts'
import { createCaller } from '../support/api.ts'
import { type AnyRequest, arbitraryRequests } from '../support/arbitrary-request.ts'
import { createFixture, type Fixture } from '../support/fixture.ts'
import { runs } from '../support/runs.ts'
import { SECRET_PATTERN } from '../support/secret-patterns.ts'

const DOMAINS = ['records', 'cells', 'streams', 'snapshots', 'commits', 'sheets']
const ENDING = ['sheets.remove', 'sheets.lock', 'snapshots.remove']
const asked = endpoints.filter((contract) => DOMAINS.includes(getDomain(contract)) && !ENDING.includes(contract.id))

type Documented = Record<string, Record<string, { responses: Record<string, unknown> }>>
const paths = buildOpenApi(endpoints, [], '0').paths as Documented
const statuses = new Map(
  asked.map((contract) => [
    contract.id as string,
    Object.keys(paths[buildPath(contract)]![contract.method.toLowerCase()]!.responses).map(Number),
  ]),
)

let world: Fixture
let call: ReturnType<typeof createCaller>

beforeAll(async () => {
  world = await createFixture()
  call = createCaller(world.account.secretKey)
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
  it('gets a status its endpoint documents, and an error in the documented shape', async () => {
    const { ids } = world
    const texts = [
      // Leaves out values that look like credentials: the table is scanned for those after all tests.
      ...Object.values(ids).filter((value) => value.search(SECRET_PATTERN) < 0),
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
    const requests = fc.oneof(...asked.map((contract) => arbitraryRequests(contract, ids, known)))
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: 10, maxLength: 10 }), async (batch) => {
        await Promise.all(batch.map(check))
      }),
      { numRuns: runs(100), interruptAfterTimeLimit: 20_000, endOnFailure: true },
    )
  }, 60_000)
})
