/** Which client address counts for rate limits, directly and through the distribution. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { getNetwork } from '../../../lib/core/network.ts'

const EDGE = '130.176.0.9'
const VIEWER = '203.0.113.7'
const SECRET = 'forty-eight random characters of this deployment'

async function getAddress(headers: Record<string, string>, originSecret = SECRET): Promise<string> {
  vi.resetModules()
  vi.stubEnv('ORIGIN_SECRET', originSecret)
  const { getClientAddress } = await import('../../../lib/http/address.ts')
  const event = { requestContext: { http: { sourceIp: EDGE } } } as APIGatewayProxyEventV2
  return getClientAddress({ event, headers })
}

describe('address of a caller', () => {
  beforeAll(() => {
    for (const name of ['TABLE_NAME', 'BUCKET_NAME', 'BUS_NAME', 'BASE_URL']) vi.stubEnv(name, 'x')
  })

  it('is the one the distribution sends with its secret', async () => {
    const headers = { 'x-wharf-viewer-address': VIEWER, 'x-wharf-origin-secret': SECRET }
    expect(await getAddress(headers)).toBe(VIEWER)
    expect(await getAddress({ ...headers, 'x-wharf-viewer-address': '2001:db8::1' })).toBe('2001:db8::1')
  })

  it.each([
    ['without the secret', { 'x-wharf-viewer-address': VIEWER }],
    ['with a wrong secret', { 'x-wharf-viewer-address': VIEWER, 'x-wharf-origin-secret': `${SECRET}.` }],
    ['with an empty secret', { 'x-wharf-viewer-address': VIEWER, 'x-wharf-origin-secret': '' }],
    ['in X-Forwarded-For', { 'x-forwarded-for': VIEWER, 'x-wharf-origin-secret': SECRET }],
    ['that is no address', { 'x-wharf-viewer-address': 'a name', 'x-wharf-origin-secret': SECRET }],
  ])('is the address of the connection for one sent %s', async (_name, headers) => {
    expect(await getAddress(headers as Record<string, string>)).toBe(EDGE)
  })

  it('is the address of the connection without a distribution', async () => {
    expect(await getAddress({ 'x-wharf-viewer-address': VIEWER, 'x-wharf-origin-secret': '' }, '')).toBe(EDGE)
  })
})

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['unknown', 'unknown'],
  ])('counts %s as %s', (address, network) => {
    expect(getNetwork(address)).toBe(network)
  })

  it('separates networks', () => {
    expect(getNetwork('2001:db8:1:3::1')).not.toBe(getNetwork('2001:db8:1:2::1'))
  })
})
