import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../../lib/core/ip-addresses.ts'
import { findUrlProblem, OutboundError, type OutboundOptions, safeFetch } from '../../../lib/core/safe-fetch.ts'

const REFUSED = [
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'javascript:alert(1)',
  'example.com/hook',
  '//example.com/hook',
  '',
  'https://',
  'https://user:pass@example.com/',
  'https://user@example.com/',
  'https://example.com:pass@127.0.0.1/',
  'https://127.0.0.1/',
  'https://127.0.0.1:8443/',
  'https://127.1/',
  'https://127.255.255.254/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://①②⑦.0.0.1/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://app.localhost/',
  'https://0/',
  'https://0.0.0.0/',
  'https://0.1.2.3/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://169.254.170.2/v2/credentials',
  'https://100.64.0.1/',
  'https://100.100.100.200/latest/meta-data/',
  'https://192.0.0.192/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.7/',
  'https://203.0.113.9/',
  'https://192.88.99.1/',
  'https://168.63.129.16/',
  'https://224.0.0.1/',
  'https://239.255.255.250/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a9fe:a9fe]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://[100::1]/',
  'https://[::8.8.8.8]/',
  'https://[4000::1]/',
]

const TAKEN = [
  'https://example.com/',
  'https://example.com:8443/hook?a=b#c',
  'https://8.8.8.8/',
  'https://134744072/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example/',
  'https://localhost.example.com/',
]

describe('user-chosen address', () => {
  it.each(REFUSED)('is rejected before anything is sent: %s', async (url) => {
    expect(findUrlProblem(url, false)).toBeDefined()
    const nowhere = { loopback: false, resolve: () => Promise.reject(new Error('was resolved')) }
    await expect(postTo(url, nowhere)).rejects.toThrow(/^The URL must/)
  })
  it.each(TAKEN)('is accepted: %s', (url) => expect(findUrlProblem(url, false)).toBeUndefined())

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '100.64.1.1',
    '::1',
    '::ffff:192.168.0.1',
    'fe80::1%eth0',
    'fd12::1',
    '0.0.0.0',
  ])('is rejected when its name resolves to %s, even alongside a public address', async (address) => {
    expect(isPublicAddress(address)).toBe(false)
    const family = address.includes(':') ? 6 : 4
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address, family },
    ]
    const refusal = 'The host does not have a public internet address.'
    await expect(postTo('https://rebind.example/', { loopback: false, resolve })).rejects.toThrow(refusal)
  })

  it('that does not resolve is reported', async () => {
    const gone = { loopback: false, resolve: () => Promise.reject(new Error('ENOTFOUND')) }
    await expect(postTo('https://gone.example/', gone)).rejects.toThrow('The host gone.example could not be resolved.')
  })

  it('on this machine is accepted only when the setting allows it, and then over HTTP too', () => {
    for (const url of ['http://127.0.0.1:1/', 'http://localhost/', 'http://[::1]/', 'https://127.0.0.1/']) {
      expect(findUrlProblem(url, true), url).toBeUndefined()
      expect(findUrlProblem(url, false), url).toBeDefined()
    }
    for (const url of ['http://example.com/', 'http://10.0.0.1/', 'https://10.0.0.1/', 'https://[::ffff:10.0.0.1]/'])
      expect(findUrlProblem(url, true), url).toBeDefined()
  })
})

describe('ports of the platform', () => {
  const closed = { loopback: true, closedPorts: [4566, 443] }
  const OWN = [
    'http://127.0.0.1:4566/',
    'http://127.0.0.1:4566/2015-03-31/functions',
    'http://127.1:4566/',
    'http://2130706433:4566/',
    'http://0x7f000001:4566/',
    'http://017700000001:4566/',
    'http://127.0.0.2:4566/',
    'http://①②⑦.0.0.1:4566/',
    'http://127.0.0.1:04566/',
    'http://localhost:4566/',
    'http://LOCALHOST.:4566/',
    'http://app.localhost:4566/',
    'http://[::1]:4566/',
    'http://[0:0:0:0:0:0:0:1]:4566/',
    'http://[::ffff:127.0.0.1]:4566/',
    'http://[::ffff:7f00:1]:4566/',
    'https://127.0.0.1:4566/',
    'https://127.0.0.1/',
  ]

  it.each(OWN)('are blocked when local addresses are allowed: %s', async (url) => {
    const message = 'must not be an address of the platform itself'
    expect(findUrlProblem(url, true, closed.closedPorts)).toBe(message)
    await expect(postTo(url, closed)).rejects.toThrow(message)
  })

  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])(
    'are blocked for names that resolve to %s',
    async (address) => {
      const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
      for (const url of ['https://rebind.example:4566/', 'http://localhost.:4566/', 'https://rebind.example/'])
        await expect(postTo(url, { ...closed, resolve })).rejects.toThrow(/the platform itself/)
    },
  )

  it('do not affect other local ports or the same port elsewhere', () => {
    for (const url of [
      'http://127.0.0.1:4567/',
      'http://localhost/',
      'https://example.com:4566/',
      'https://example.com/',
    ])
      expect(findUrlProblem(url, true, closed.closedPorts), url).toBeUndefined()
  })
})

const postTo = (url: string, options: OutboundOptions, more: { timeoutMs?: number; maxResponseBytes?: number } = {}) =>
  safeFetch(
    { url, headers: { 'x-test': 'yes' }, body: '{"a":"ä"}', timeoutMs: 2000, maxResponseBytes: 10, ...more },
    options,
  )

describe('outbound request', () => {
  let server: Server
  let port: number
  const seen: { path?: string | undefined; host?: string | undefined; body: string; length?: string | undefined }[] = []

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      seen.push({
        path: request.url,
        host: request.headers.host,
        body,
        length: request.headers['content-length'],
      })
      if (request.url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end('moved')
      else if (request.url === '/never') return
      else if (request.url === '/endless') {
        response.writeHead(200)
        const timer = setInterval(() => response.write('x'.repeat(1000)), 1)
        response.on('close', () => clearInterval(timer))
      } else if (request.url === '/drip') response.writeHead(201).write('begun')
      else response.end('hello there, this is long')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const localUrl = (path: string) => `http://localhost:${port}${path}`

  it('goes to the validated address: the name is resolved once', async () => {
    let asked = 0
    const resolve = async () =>
      ++asked === 1 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '10.0.0.1', family: 4 }]
    const answer = await postTo(localUrl('/hook?x=1'), { loopback: true, resolve })
    expect(answer.status).toBe(200)
    expect(answer.body.toString()).toBe('hello ther')
    expect(asked).toBe(1)
    expect(seen.at(-1)).toEqual({ path: '/hook?x=1', host: `localhost:${port}`, body: '{"a":"ä"}', length: '10' })
  })

  const loopback = { loopback: true, resolve: async () => [{ address: '127.0.0.1', family: 4 }] }

  it('follows no redirect', async () => {
    const before = seen.length
    expect((await postTo(localUrl('/redirect'), loopback)).status).toBe(302)
    expect(seen.slice(before).map(({ path }) => path)).toEqual(['/redirect'])
  })

  it('limits the response size and the time', async () => {
    const endless = await postTo(localUrl('/endless'), loopback)
    expect([endless.status, endless.body.length]).toEqual([200, 10])
    await expect(postTo(localUrl('/never'), loopback, { timeoutMs: 100 })).rejects.toThrow(
      'No response was received within 0.1 seconds.',
    )
    const drip = await postTo(localUrl('/drip'), loopback, { timeoutMs: 200 })
    expect([drip.status, drip.body.toString()]).toEqual([201, 'begun'])
    const slowName = { loopback: true, resolve: () => new Promise<never>(() => {}) }
    await expect(postTo(localUrl('/'), slowName, { timeoutMs: 50 })).rejects.toThrow('within 0.05 seconds')
  })

  it('reports a refused connection briefly', async () => {
    const refused = postTo('http://127.0.0.1:9/', loopback)
    await expect(refused).rejects.toThrow(OutboundError)
    await expect(refused).rejects.toThrow('The request failed: ECONNREFUSED.')
  })
})
