import { beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { Wharf } from '../../packages/sdk/src/index.ts'
import { endpoints } from '../../schemas/index.ts'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import { ERROR_STATUS } from '../../schemas/kit/error-codes.ts'
import { getServer } from '../support/api.ts'
import { buildExample } from '../support/call-example.ts'
import { createFixture, type Fixture } from '../support/fixture.ts'
import { recordRequests } from '../support/record-requests.ts'

type Method = (...args: unknown[]) => Promise<unknown>

const MULTIPART = { file: new File(['name\nAda\n'], 'people.csv') }

function getMethod(wharf: Wharf, { id }: Contract): Method {
  const [domain, name] = id.split('.') as [keyof Wharf, string]
  const methods = wharf[domain] as unknown as Record<string, Method>
  return methods[name]!.bind(methods)
}

function buildArguments(contract: Contract, ids: Record<string, string>): unknown[] {
  const { params = {}, query, body } = buildExample(contract, ids)
  const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const content =
    contract.bodyType === 'multipart'
      ? { spaceId: ids.spaceId, ...MULTIPART }
      : (body ?? (contract.bodyOptional ? undefined : {}))
  return [...names.map((name) => params[name]), ...(contract.body ? [content] : []), { ...query, retries: 0 }]
}

const hasOnlyData = ({ reply }: Contract): boolean => Object.keys((reply as z.ZodObject).shape ?? {}).join() === 'data'

let fixture: Fixture
beforeAll(async () => {
  fixture = await createFixture()
}, 60_000)

/** Rejected in the state of the fixture, with this status: they work only once, or after calls that no example makes. */
const REJECTED: Record<string, number> = {
  'auth.ssoCallback': 409,
  'files.unlock': 409,
  'jobs.acknowledge': 409,
  'jobs.acknowledgeOutcome': 409,
  'jobs.complete': 409,
  'jobs.execute': 409,
  'jobs.fail': 409,
  'jobs.keepRecipe': 409,
  'jobs.preview': 409,
  'jobs.undoImport': 409,
  'quality.merge': 409,
  'quality.previewMerge': 409,
  'spaces.removeMany': 404,
  'threads.applyProposal': 409,
  'threads.undoProposal': 409,
  'users.resendInvite': 409,
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Deleted last, because the others are in them. */
const CONTAINERS = [
  'agents.remove',
  'canvases.remove',
  'sheets.remove',
  'workbooks.remove',
  'spaces.remove',
  'spaces.removeMany',
  'environments.remove',
]

function rank({ id, method, path }: Contract): number {
  if (id === 'clips.merge') return METHODS.indexOf('DELETE')
  if (id.startsWith('auth.sso')) return METHODS.length + (method === 'DELETE' ? 1 : method === 'PUT' ? 0 : 0.5)
  return (
    METHODS.indexOf(method) + (method === 'DELETE' ? 2 + (CONTAINERS.indexOf(id) + 1) - path.split('/').length / 10 : 0)
  )
}
const ordered = [...endpoints].sort((a, b) => rank(a) - rank(b))

describe('a method of the client', () => {
  it.each(ordered.map((contract) => [contract.id, contract as Contract] as const))(
    '%s sends the request of its contract and returns the reply',
    async (id, contract) => {
      const recorded = recordRequests()
      const wharf = new Wharf({ token: fixture.token, baseUrl: getServer().baseUrl, fetch: recorded.fetch })
      const result = getMethod(wharf, contract)(...buildArguments(contract, fixture.ids))
      if (REJECTED[id]) return expect(result).rejects.toMatchObject({ status: REJECTED[id], errors: [{}] })
      const reply = await result
      const [{ method, response }] = recorded.requests as [(typeof recorded.requests)[number]]
      expect(method).toBe(contract.method)
      if (contract.reply === 'bytes') return expect(reply).toBeInstanceOf(Response)
      expect(contract.reply.safeParse(response.body).error).toBeUndefined()
      expect(reply).toEqual(hasOnlyData(contract) ? (response.body as { data: unknown }).data : response.body)
    },
  )
})

describe('an error of the client', () => {
  it.each(Object.entries(ERROR_STATUS))('has the code %s for its status', async (code, status) => {
    const errors = [{ key: code, message: 'Rejected.' }]
    const fetch = async () => Response.json({ errors }, { status })
    const wharf = new Wharf({ token: 'none', baseUrl: 'http://127.0.0.1', fetch, retries: 0 })
    await expect(wharf.spaces.get('us_sp_1')).rejects.toMatchObject({ code, status, errors })
  })
})
