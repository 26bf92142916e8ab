/** The embedded cloud serves only callers with the credentials of its start, whichever service is requested. */
import { DescribeTableCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { getServer } from '../support/api.ts'
import {
  getCredentials,
  type RawRequest,
  type RawResponse,
  type Signing,
  send,
  signRequest,
} from '../support/signed-request.ts'

const TABLE = 'wharf-dev-table'
const json = (target: string, input: object, version = '1.1'): RawRequest => ({
  method: 'POST',
  path: '/',
  headers: { 'x-amz-target': target, 'content-type': `application/x-amz-json-${version}` },
  body: JSON.stringify(input),
})
const item = (pk: string) => ({ TableName: TABLE, Item: { pk: { S: pk }, sk: { S: '-' } } })
const account = (email: string) =>
  JSON.stringify({ account: 'Evil', name: 'M', email, password: 'Sup3rSecret-passw0rd' })
const invoke = (email: string): RawRequest => ({
  method: 'POST',
  path: '/2015-03-31/functions/wharf-dev-create-account/invocations',
  headers: { 'content-type': 'text/plain' },
  body: account(email),
})

interface Call {
  what: string
  service: string
  request: RawRequest
  changed: RawRequest
  atApi?: boolean
}

const jsonCall = (service: string, target: string, input: object, other: object, version = '1.1'): Call => ({
  what: `${service} ${target}`,
  service,
  request: json(target, input, version),
  changed: json(target, other, version),
})
const dynamodb = (operation: string, input: object, other: object) =>
  jsonCall('dynamodb', `DynamoDB_20120810.${operation}`, input, other, '1.0')
const restCall = (what: string, service: string, request: RawRequest, other: Partial<RawRequest>): Call => ({
  what,
  service,
  request,
  changed: { ...request, ...other },
})
const sts = (action: string): RawRequest => ({
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: `Action=${action}&Version=2011-06-15`,
})
const get = (path: string): RawRequest => ({ method: 'GET', path })

const CALLS: Call[] = [
  dynamodb('ListTables', {}, { Limit: 1 }),
  dynamodb('Scan', { TableName: TABLE, Limit: 1 }, { TableName: TABLE, Limit: 2 }),
  dynamodb('PutItem', item('evil'), item('evil#changed')),
  jsonCall('events', 'AWSEvents.PutEvents', { Entries: [] }, { Entries: [{}] }),
  jsonCall('events', 'AWSEvents.ListRules', {}, { EventBusName: 'wharf-dev' }),
  jsonCall('kms', 'TrentService.CreateKey', {}, { Description: 'evil' }),
  restCall('Lambda ListFunctions', 'lambda', get('/2015-03-31/functions'), get('/2015-03-31/functions?MaxItems=1')),
  restCall('Lambda Invoke', 'lambda', { ...invoke('x'), body: '{}' }, invoke('changed@evil.example')),
  restCall(
    'SES SendEmail',
    'ses',
    { method: 'POST', path: '/v2/email/outbound-emails', body: '{}' },
    { body: '{"Content":{}}' },
  ),
  restCall('STS GetCallerIdentity', 'sts', sts('GetCallerIdentity'), sts('GetSessionToken')),
  restCall('S3 ListBuckets', 's3', get('/'), get('/wharf-dev-bucket?list-type=2')),
  restCall('S3 PutObject', 's3', { method: 'PUT', path: '/wharf-dev-bucket/evil', body: 'evil' }, { body: 'live' }),
  restCall('the mailbox', 'local', get('/_aws/ses'), get('/_aws/ses?x=1')),
  restCall('the counts of faults', 'local', get('/_aws/faults'), get('/_aws/faults?x=1')),
  restCall('a plan of faults', 'local', { method: 'PUT', path: '/_aws/faults', body: 'seed=x' }, { body: 'seed=y' }),
  {
    ...restCall('@connections', 'execute-api', get('/dev/@connections/none'), { method: 'DELETE' }),
    atApi: true,
  },
]

function getErrorCode({ body, headers, status }: RawResponse): string {
  const type =
    /"__type":"([^"]+)"/.exec(body)?.[1] ?? /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? headers['x-amzn-errortype']
  return `${String(type ?? body.slice(0, 80)).replace(/^.*#/, '')} ${status}`
}

type Kind = 'json' | 'rest' | 'query' | 's3'
const KINDS: Record<string, Kind> = { dynamodb: 'json', events: 'json', kms: 'json', sts: 'query', s3: 's3' }
const getKind = ({ service }: Call): Kind => KINDS[service] ?? 'rest'

const UNSIGNED = {
  json: 'MissingAuthenticationTokenException 400',
  rest: 'MissingAuthenticationTokenException 403',
  query: 'MissingAuthenticationToken 403',
  s3: 'AccessDenied 403',
}
const UNKNOWN = {
  json: 'UnrecognizedClientException 400',
  rest: 'UnrecognizedClientException 403',
  query: 'InvalidClientTokenId 403',
  s3: 'InvalidAccessKeyId 403',
}
const WRONG = {
  json: 'InvalidSignatureException 400',
  rest: 'InvalidSignatureException 403',
  query: 'SignatureDoesNotMatch 403',
  s3: 'SignatureDoesNotMatch 403',
}

const endpointOf = ({ atApi }: Call): string => (atApi ? new URL(getServer().baseUrl).origin : getServer().cloud)
const serverCredentials = () => getCredentials(getServer().environment)

async function ask(
  call: Call,
  signing: Partial<Signing>,
  sent = call.request,
  signed = call.request,
): Promise<RawResponse> {
  const endpoint = endpointOf(call)
  const { headers } = signRequest(endpoint, signed, {
    credentials: serverCredentials(),
    service: call.service,
    ...signing,
  })
  return send(endpoint, { ...sent, headers })
}

const minutes = (count: number) => new Date(Date.now() + count * 60_000)

describe.each(CALLS)('$what', (call) => {
  const kind = getKind(call)

  it('is accepted when it is signed', async () => {
    const said = getErrorCode(await ask(call, {}))
    for (const refusal of [UNSIGNED[kind], UNKNOWN[kind], WRONG[kind]]) expect(said).not.toBe(refusal)
  })

  it('is rejected without a signature', async () => {
    expect(getErrorCode(await send(endpointOf(call), call.request))).toBe(UNSIGNED[kind])
  })

  it('is rejected with another authorization', async () => {
    const headers = { ...call.request.headers, authorization: 'Bearer x' }
    const said = getErrorCode(await send(endpointOf(call), { ...call.request, headers }))
    expect(said).toMatch(/^(MissingAuthenticationToken|IncompleteSignature|InvalidRequest)/)
  })

  it('is rejected with the former default credentials of local clouds', async () => {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
    expect(getErrorCode(await ask(call, { credentials }))).toBe(UNKNOWN[kind])
  })

  it('is rejected with another secret', async () => {
    const credentials = { ...serverCredentials(), secretAccessKey: 'test' }
    expect(getErrorCode(await ask(call, { credentials }))).toBe(WRONG[kind])
  })

  it('is rejected when it was changed after signing', async () => {
    const said = getErrorCode(await ask(call, {}, call.changed))
    expect([WRONG[kind], 'XAmzContentSHA256Mismatch 400']).toContain(said)
  })

  it.each([-20, 20])('is rejected when it was signed %s minutes from now', async (count) => {
    const said = getErrorCode(await ask(call, { at: minutes(count) }))
    expect(said).toBe(kind === 's3' ? 'RequestTimeTooSkewed 403' : WRONG[kind])
  })

  it.skipIf(call.service === 'local')('is rejected with the signature for another service', async () => {
    const said = getErrorCode(await ask(call, { service: call.service === 'kms' ? 'lambda' : 'kms' }))
    expect(said).toBe(kind === 's3' ? 'AuthorizationHeaderMalformed 400' : WRONG[kind])
  })

  it('is rejected when the signature does not cover the host', async () => {
    const signing = { credentials: serverCredentials(), service: call.service }
    const { headers } = signRequest(endpointOf(call), call.request, signing)
    const authorization = headers.authorization!.replace(/;host|host;/, '')
    const said = getErrorCode(await send(endpointOf(call), { ...call.request, headers: { ...headers, authorization } }))
    expect(said).toMatch(/^(InvalidSignature|IncompleteSignature|SignatureDoesNotMatch|AccessDenied)/)
  })

  it('is rejected under a foreign host name, signed or not', async () => {
    const foreign = { ...call.request, headers: { ...call.request.headers, host: 'rebind.evil.example' } }
    expect((await send(endpointOf(call), foreign)).status).toBe(421)
    expect((await ask(call, {}, foreign, foreign)).status).toBe(421)
  })

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:5561'])(
    'is rejected for pages of %s, signed or not',
    async (origin) => {
      const page = { ...call.request, headers: { ...call.request.headers, origin } }
      for (const answer of [await send(endpointOf(call), page), await ask(call, {}, page, page)]) {
        expect(answer.status).toBe(403)
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
    },
  )
})

describe('a rejected request', () => {
  it('leaves nothing behind', async () => {
    const { cloud, environment } = getServer()
    const client = new DynamoDBClient({
      endpoint: cloud,
      region: 'us-east-1',
      credentials: getCredentials(environment),
    })
    const Key = { pk: { S: 'evil#changed' }, sk: { S: '-' } }
    expect(
      (await client.send(new GetItemCommand({ TableName: TABLE, Key, ConsistentRead: true }))).Item,
    ).toBeUndefined()
    const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLE }))
    expect(Table?.TableName).toBe(TABLE)
    client.destroy()
  })
})

describe('a page of another origin', () => {
  const asks = (path: string, headers: Record<string, string>) =>
    send(getServer().cloud, { method: 'OPTIONS', path, headers: { origin: 'https://evil.example', ...headers } })
  const preflightHeaders = (method: string, names: string) => ({
    'access-control-request-method': method,
    'access-control-request-headers': names,
  })

  it.each([
    ['DynamoDB', '/', 'POST', 'x-amz-target'],
    ['Lambda', '/2015-03-31/functions/wharf-dev-create-account/invocations', 'POST', 'content-type'],
    ['SES', '/v2/email/outbound-emails', 'POST', 'content-type'],
    ['the mailbox', '/_aws/ses', 'GET', 'authorization'],
    ['faults', '/_aws/faults', 'PUT', 'content-type'],
    ['a bucket that does not exist', '/no-such-bucket/x', 'PUT', 'content-type'],
  ])('cannot request %s', async (_, path, method, names) => {
    const answer = await asks(path, preflightHeaders(method, names))
    expect(answer.status).toBe(403)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('can send to the bucket, which then requires a presigned request', async () => {
    const answer = await asks('/wharf-dev-bucket/x', preflightHeaders('PUT', 'content-type'))
    expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } })
    const unsigned = await send(getServer().cloud, {
      method: 'PUT',
      path: '/wharf-dev-bucket/x',
      headers: { origin: 'https://evil.example' },
      body: 'evil',
    })
    expect(unsigned.status).toBe(403)
  })
})

describe('the host header', () => {
  const asking = (url: string, host: string) =>
    send(url, { method: 'GET', path: '/health', headers: { host } }).then(({ status }) => status)
  const portOf = (url: string) => new URL(url).port

  it.each(['rebind.evil.example', '127.0.0.1.nip.io', 'localhost.evil.example', '0.0.0.0', '[::]', '192.168.1.7', ''])(
    'cannot be %j, neither at the cloud nor at the API',
    async (name) => {
      for (const url of [getServer().cloud, new URL(getServer().baseUrl).origin]) {
        expect(await asking(url, `${name}:${portOf(url)}`)).toBe(421)
        if (name) expect(await asking(url, name)).toBe(421)
      }
    },
  )

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('can be %s', async (name) => {
    const url = new URL(getServer().baseUrl).origin
    expect(await asking(url, `${name}:${portOf(url)}`)).toBe(200)
    expect(await asking(getServer().cloud, `${name}:${portOf(getServer().cloud)}`)).not.toBe(421)
  })

  it('is checked when a WebSocket is opened', async () => {
    const url = new URL(getServer().baseUrl).origin
    const answer = await upgrade(url, 'rebind.evil.example')
    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
  })
})

async function upgrade(url: string, host: string): Promise<string> {
  const { connect } = await import('node:net')
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(
    `GET /dev HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  for await (const chunk of socket) {
    socket.destroy()
    return String(chunk).split('\r\n')[0]!
  }
  return ''
}
