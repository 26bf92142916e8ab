import { createServer, type IncomingHttpHeaders, type RequestOptions, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createGateway, type Route } from '../src/gateway.ts'

const MB = 1024 * 1024
const echoEvent = async (event: APIGatewayProxyEventV2) => ({ statusCode: 200, body: JSON.stringify(event) })
const createRoute = (routeKey: string): Route => ({
  routeKey,
  invoke: async (event) => ({ by: routeKey, params: event.pathParameters }),
})
const createRouteReturning = (routeKey: string, result: (context: Context) => unknown): Route => ({
  routeKey,
  functionName: 'giver',
  invoke: async (_event, context) => result(context),
})

const routes: Route[] = [
  { routeKey: 'ANY /echo', invoke: echoEvent },
  { routeKey: 'GET /echo/{id}', invoke: echoEvent },
  {
    routeKey: 'POST /large',
    invoke: async (event) => ({ statusCode: 200, body: event.body }),
    bodyLimit: () => ({ bytes: 16 * MB, tooLarge: Buffer.from('{"errors":["16 MB"]}') }),
  },
  {
    routeKey: 'ANY /limited',
    invoke: async (event) => ({ bytes: event.body?.length }),
    bodyLimit: (method) =>
      method === 'PUT' ? { bytes: 1 * MB, tooLarge: Buffer.from('{"errors":["1 MB"]}') } : undefined,
  },
  { routeKey: 'POST /size', invoke: async (event) => ({ bytes: event.body?.length }) },
  createRoute('GET /agents/{id}'),
  createRoute('GET /agents/logs'),
  createRoute('ANY /agents/logs'),
  createRoute('GET /agents/{id}/logs'),
  createRoute('GET /agents/{rest+}'),
  createRouteReturning('GET /inferred/{kind}', () => ({ spaces: [1, 2] })),
  createRouteReturning('GET /text', () => 'plain words'),
  createRouteReturning('GET /nothing', () => undefined),
  createRouteReturning('GET /cookies', () => ({
    statusCode: 201,
    cookies: ['a=1; Path=/', 'b=2'],
    headers: { 'X-Kind': 'yes' },
    body: '',
  })),
  createRouteReturning('GET /binary', () => ({
    statusCode: 200,
    isBase64Encoded: true,
    headers: { 'content-type': 'image/png' },
    body: Buffer.from([0, 255, 128]).toString('base64'),
  })),
  createRouteReturning('GET /throws', () => {
    throw new Error('the reason')
  }),
  createRouteReturning('GET /malformed', () => ({ statusCode: 200, body: { not: 'a string' } })),
  createRouteReturning('GET /six', () => ({ statusCode: 200, body: 'x'.repeat(6 * MB - 1000) })),
  createRouteReturning('GET /seven', () => ({ statusCode: 200, body: 'x'.repeat(7 * MB) })),
  createRouteReturning('GET /escapes', () => ({ statusCode: 200, body: '"'.repeat(4 * MB) })),
  createRouteReturning('GET /context', (context) => ({
    name: context.functionName,
    id: context.awsRequestId,
    left: context.getRemainingTimeInMillis(),
  })),
  createRouteReturning('GET /slow', () => new Promise(() => {})),
  createRouteReturning('GET /cors', () => ({
    statusCode: 200,
    headers: { 'Access-Control-Allow-Origin': 'https://function.example' },
    body: '',
  })),
]

const servers: Server[] = []

async function startGateway(options: Parameters<typeof createGateway>[0]): Promise<string> {
  const api = createGateway(options)
  const server = createServer((req, res) => void api.handle(req, res))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

function send(url: string, options: RequestOptions, body?: Buffer | string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const req = request({ hostname, port, ...options }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk) => chunks.push(chunk))
      res.on('end', () =>
        resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(chunks).toString() }),
      )
    })
    req.on('error', reject)
    req.end(body)
  })
}

const readEvent = async (response: Response) => (await response.json()) as APIGatewayProxyEventV2

describe.skipIf(process.env.CLOUD)('the HTTP API gateway', () => {
  let api: string
  const logged = vi.spyOn(console, 'error')

  beforeAll(async () => {
    api = await startGateway({ routes })
    logged.mockImplementation(() => {})
  })
  afterEach(() => logged.mockClear())
  afterAll(async () => {
    logged.mockRestore()
    for (const server of servers) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  describe('event of a function', () => {
    it('has every field of payload format 2.0', async () => {
      const before = Date.now()
      const response = await fetch(`${api}/echo/us_sp_1?a=1`, { headers: { 'User-Agent': 'tester' } })
      const event = await readEvent(response)
      expect(event).toMatchObject({
        version: '2.0',
        routeKey: 'GET /echo/{id}',
        rawPath: '/echo/us_sp_1',
        rawQueryString: 'a=1',
        queryStringParameters: { a: '1' },
        pathParameters: { id: 'us_sp_1' },
        isBase64Encoded: false,
        requestContext: {
          accountId: '000000000000',
          http: {
            method: 'GET',
            path: '/echo/us_sp_1',
            protocol: 'HTTP/1.1',
            sourceIp: '127.0.0.1',
            userAgent: 'tester',
          },
          requestId: response.headers.get('apigw-requestid'),
          routeKey: 'GET /echo/{id}',
          stage: '$default',
        },
      })
      expect(event.requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/)
      expect(event.requestContext.timeEpoch).toBeGreaterThanOrEqual(before)
    })

    it('omits what the request does not have', async () => {
      const event = await readEvent(await fetch(`${api}/echo`))
      for (const key of ['body', 'cookies', 'queryStringParameters', 'pathParameters'])
        expect(event).not.toHaveProperty(key)
      expect(event.rawQueryString).toBe('')
    })

    it('joins repeated query keys with a comma, decoded, and leaves the raw string unchanged', async () => {
      const raw = 'ids=a&ids=b%20c&q=x+y&empty=&__proto__=z'
      const event = await readEvent(await fetch(`${api}/echo?${raw}`))
      expect(event.rawQueryString).toBe(raw)
      expect(Object.entries(event.queryStringParameters!)).toEqual([
        ['ids', 'a,b c'],
        ['q', 'x y'],
        ['empty', ''],
        ['__proto__', 'z'],
      ])
    })

    it('lower-cases header names, joins repeated ones with a comma and separates cookies', async () => {
      const { body } = await send(api, {
        path: '/echo',
        headers: { 'X-Many': ['1', '2'], Cookie: 'a=1; b=2', 'Keep-Alive': 'timeout=200' },
      })
      const event = JSON.parse(body) as APIGatewayProxyEventV2
      expect(event.headers['x-many']).toBe('1,2')
      expect(event.cookies).toEqual(['a=1', 'b=2'])
      expect(Object.keys(event.headers)).not.toEqual(expect.arrayContaining(['cookie']))
      expect(Object.keys(event.headers)).not.toEqual(expect.arrayContaining(['keep-alive']))
      expect(event.headers['x-forwarded-proto']).toBe('http')
    })

    it('decodes the path and its parameters', async () => {
      const event = await readEvent(await fetch(`${api}/echo/caf%C3%A9%20au`))
      expect(event.pathParameters).toEqual({ id: 'café au' })
      expect(event.rawPath).toBe('/echo/café au')
      expect((await send(api, { path: '/echo/%E0%A4%A' })).status).toBe(400)
    })

    it.each(['text/csv', 'application/json', 'application/json; charset=utf-8', 'application/xml'])(
      'passes %s as text',
      async (type) => {
        const event = await readEvent(
          await fetch(`${api}/echo`, { method: 'POST', headers: { 'content-type': type }, body: 'é' }),
        )
        expect(event).toMatchObject({ body: 'é', isBase64Encoded: false })
      },
    )

    it.each(['application/octet-stream', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
      'passes "%s" as base64',
      async (type) => {
        const { body } = await send(
          api,
          { path: '/echo', method: 'POST', headers: type ? { 'content-type': type } : {} },
          Buffer.from([0, 255]),
        )
        expect(JSON.parse(body)).toMatchObject({ body: 'AP8=', isBase64Encoded: true })
      },
    )

    it('passes a compressed body as base64 whatever its type', async () => {
      const zipped = gzipSync('[1]')
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      const event = await readEvent(await fetch(`${api}/echo`, { method: 'POST', headers, body: zipped }))
      expect(event).toMatchObject({ body: zipped.toString('base64'), isBase64Encoded: true })
    })

    it('accepts chunked bodies without a length', async () => {
      const { body } = await send(
        api,
        { path: '/echo', method: 'PUT', headers: { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' } },
        'abc',
      )
      expect(JSON.parse(body)).toMatchObject({ body: 'abc' })
    })

    it('has a context with the function name and the remaining time', async () => {
      const context = (await (await fetch(`${api}/context`)).json()) as { name: string; id: string; left: number }
      expect(context.name).toBe('giver')
      expect(context.left).toBeGreaterThan(20_000)
      expect(context.left).toBeLessThanOrEqual(30_000)
    })
  })

  describe('route selection', () => {
    it.each([
      ['GET', '/agents/logs', 'GET /agents/logs', undefined],
      ['DELETE', '/agents/logs', 'ANY /agents/logs', undefined],
      ['GET', '/agents/7', 'GET /agents/{id}', { id: '7' }],
      ['GET', '/agents/7/logs', 'GET /agents/{id}/logs', { id: '7' }],
      ['GET', '/agents/7/files/a%20b', 'GET /agents/{rest+}', { rest: '7/files/a b' }],
    ])('routes %s %s to %s', async (method, path, sendLimited, params) => {
      expect(await (await fetch(api + path, { method })).json()).toEqual({ by: sendLimited, ...(params && { params }) })
    })

    it.each([['/missing'], ['/agents/'], ['/Agents/7'], ['/text/'], ['//text']])(
      'returns 404 for GET %s, which no route matches',
      async (path) => {
        const answer = await send(api, { path })
        expect([answer.status, answer.body]).toEqual([404, '{"message":"Not Found"}'])
        expect(answer.headers['content-type']).toBe('application/json')
      },
    )

    it('passes unmatched requests to $default', async () => {
      const withDefault = await startGateway({
        routes: [createRoute('GET /a'), { routeKey: '$default', invoke: echoEvent }],
      })
      expect(await (await fetch(`${withDefault}/a`)).json()).toEqual({ by: 'GET /a' })
      const event = await readEvent(await fetch(`${withDefault}/api//v1/x`, { method: 'POST', body: 'b' }))
      expect(event).toMatchObject({ routeKey: '$default', rawPath: '/api//v1/x', body: 'b' })
    })

    it('rejects a duplicate route', () => {
      expect(() => createGateway({ routes: [createRoute('GET /a/{x}'), createRoute('GET /a/{y}')] })).toThrow(
        /already declared/,
      )
    })
  })

  describe('response', () => {
    it('is JSON with status 200 when the function returns no statusCode', async () => {
      const response = await fetch(`${api}/inferred/x`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(await response.json()).toEqual({ spaces: [1, 2] })
      expect(await (await fetch(`${api}/text`)).text()).toBe('plain words')
      expect(await (await fetch(`${api}/nothing`)).text()).toBe('null')
    })

    it('preserves status, headers and each cookie', async () => {
      const response = await fetch(`${api}/cookies`)
      expect([response.status, response.headers.get('x-kind')]).toEqual([201, 'yes'])
      expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
      expect(response.headers.get('content-type')).toBe('text/plain;charset=UTF-8')
    })

    it('is binary when the function marks its body as base64', async () => {
      const response = await fetch(`${api}/binary`)
      expect(response.headers.get('content-type')).toBe('image/png')
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255, 128]))
    })

    it.each(['/throws', '/malformed', '/seven', '/escapes'])(
      'returns 500 for %s as AWS does and logs the reason',
      async (path) => {
        const response = await fetch(api + path)
        expect([response.status, await response.text()]).toEqual([500, '{"message":"Internal Server Error"}'])
        expect(logged).toHaveBeenCalledOnce()
      },
    )

    it('can be just under 6 MB', async () => {
      expect((await (await fetch(`${api}/six`)).text()).length).toBe(6 * MB - 1000)
    })

    it('is 503 when the function is too slow', async () => {
      const hurried = await startGateway({ routes, timeoutSeconds: 0.05 })
      const response = await fetch(`${hurried}/slow`)
      expect([response.status, await response.text()]).toEqual([503, '{"message":"Service Unavailable"}'])
    })
  })

  describe('request size limits', () => {
    const post = (path: string, bytes: number, type = 'text/plain', fill = 'x') =>
      send(api, { path, method: 'POST', headers: { 'content-type': type } }, Buffer.alloc(bytes, fill))

    it.each([
      ['over 10 MB', 10 * MB + 1, 'text/plain', 'x'],
      ['over 6 MB, what Lambda takes', 6 * MB + 1, 'text/plain', 'x'],
      ['over 6 MB once it is base64', 5 * MB, 'application/octet-stream', 'x'],
      ['over 6 MB once it is a JSON string', 4 * MB, 'text/plain', '"'],
    ])('rejects a body %s with 413', async (_name, bytes, type, fill) => {
      const answer = await post('/size', bytes, type, fill)
      expect([answer.status, answer.body]).toEqual([413, '{"message":"Request Entity Too Large"}'])
    })

    it('passes up to 6 MB to the function', async () => {
      expect((await post('/size', 6 * MB - 1000)).body).toBe(`{"bytes":${6 * MB - 1000}}`)
    })

    it('passes bodies up to the limit of the route, and returns its error above that', async () => {
      const answer = await post('/large', 12 * MB)
      expect([answer.status, answer.body.length]).toEqual([200, 12 * MB])
      const refused = await post('/large', 16 * MB + 1)
      expect([refused.status, refused.body]).toEqual([413, '{"errors":["16 MB"]}'])
    })

    it('returns the error of the route and method above 6 MB, if there is one', async () => {
      const sendLimited = async (method: string) =>
        send(api, { path: '/limited', method, headers: { 'content-type': 'text/plain' } }, Buffer.alloc(7 * MB, 'x'))
      expect((await sendLimited('PUT')).body).toBe('{"errors":["1 MB"]}')
      expect((await sendLimited('POST')).body).toBe('{"message":"Request Entity Too Large"}')
    })

    it('responds to a body far over the limit instead of breaking the connection', async () => {
      expect((await post('/size', 135 * MB)).status).toBe(413)
    })

    it('is not disturbed by a client that disconnects during its body', async () => {
      const { hostname, port } = new URL(api)
      const socket = connect(Number(port), hostname)
      socket.end('POST /size HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc')
      await new Promise((resolve) => socket.on('close', resolve).resume())
      expect((await fetch(`${api}/text`)).status).toBe(200)
    })
  })

  describe('CORS', () => {
    const allow = {
      allowedOrigins: ['*'],
      allowedHeaders: ['Authorization', 'X-Sheet-Id'],
      allowedMethods: ['GET', 'PUT'],
      exposedResponseHeaders: ['ETag'],
      maxAge: 600,
    }
    const asking = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }

    it('handles a preflight without calling a function', async () => {
      const shared = await startGateway({ routes: [createRoute('PUT /a')], cors: allow })
      const response = await fetch(`${shared}/a`, { method: 'OPTIONS', headers: asking })
      expect(response.status).toBe(204)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET,PUT',
        'access-control-allow-headers': 'authorization,x-sheet-id',
        'access-control-max-age': '600',
      })
    })

    it('passes preflights to a $default route, with the headers of the gateway', async () => {
      const shared = await startGateway({
        routes: [createRouteReturning('$default', () => ({ statusCode: 200, body: 'seen' }))],
        cors: allow,
      })
      const response = await fetch(`${shared}/a`, { method: 'OPTIONS', headers: asking })
      expect([response.status, await response.text()]).toEqual([200, 'seen'])
      expect(response.headers.get('access-control-allow-methods')).toBe('GET,PUT')
    })

    it('replaces the CORS headers of the function and adds none without an origin', async () => {
      const shared = await startGateway({ routes, cors: allow })
      const crossing = await fetch(`${shared}/cors`, { headers: { origin: 'https://app.example' } })
      expect(crossing.headers.get('access-control-allow-origin')).toBe('*')
      expect(crossing.headers.get('access-control-expose-headers')).toBe('etag')
      expect(crossing.headers.has('access-control-allow-methods')).toBe(false)
      expect((await fetch(`${shared}/cors`)).headers.has('access-control-allow-origin')).toBe(false)
    })

    it('returns the origin when only some are allowed', async () => {
      const shared = await startGateway({
        routes,
        cors: { allowedOrigins: ['https://a.example'], allowCredentials: true },
      })
      const getHeaders = async (origin: string) => (await fetch(`${shared}/text`, { headers: { origin } })).headers
      expect((await getHeaders('https://a.example')).get('access-control-allow-origin')).toBe('https://a.example')
      expect((await getHeaders('https://a.example')).get('access-control-allow-credentials')).toBe('true')
      expect((await getHeaders('https://b.example')).has('access-control-allow-origin')).toBe(false)
    })
  })
})
