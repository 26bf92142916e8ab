import { describe, expect, it } from 'vitest'
import { startAuthCloud } from '../../support/auth-cloud.ts'

const cloud = await startAuthCloud()
const { dynamo } = await import('../../../lib/table/client.ts')
const { acquireLease, releaseLease } = await import('../../../lib/table/leases.ts')

const NOW = 1_800_000_000
const createLease = (attempt: string, leaseUntil = NOW + 60) => ({
  attempt,
  fingerprint: 'request',
  leaseUntil,
  expires: NOW + 3600,
})

let responsesToLose = 0
dynamo.middlewareStack.add(
  (next) => async (args) => {
    const response = await next(args)
    if (responsesToLose-- > 0) throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' })
    return response
  },
  { step: 'deserialize', name: 'loseResponse', priority: 'high' },
)

describe('acquireLease()', () => {
  it('acquires a free name', async () => {
    expect(await acquireLease('free', createLease('first'), NOW)).toBeUndefined()
  })

  it('returns the lease of the attempt that runs', async () => {
    await acquireLease('held', createLease('first'), NOW)
    expect(await acquireLease('held', createLease('second'), NOW)).toMatchObject({ attempt: 'first' })
  })

  it('takes over an expired lease, and a released one', async () => {
    await acquireLease('late', createLease('first', NOW - 1), NOW - 60)
    expect(await acquireLease('late', createLease('second'), NOW)).toBeUndefined()
    await releaseLease('late', 'second')
    expect(await acquireLease('late', createLease('third'), NOW)).toBeUndefined()
  })

  it('acquires once when the response is lost and the SDK repeats the request', async () => {
    cloud.reset()
    responsesToLose = 1
    expect(await acquireLease('lost', createLease('first'), NOW)).toBeUndefined()
    expect(cloud.requests).toEqual(['PutItem', 'PutItem', 'GetItem'])
    expect(await acquireLease('lost', createLease('second'), NOW)).toMatchObject({ attempt: 'first' })
  })
})
