/** The embedded cloud answers whoever holds the credentials of its start, and nobody else, whichever service is asked. */
import { DescribeTableCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { server } from '../support/api.ts'
import {
  type Answer,
  credentialsOf,
  type RawRequest,
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
  /** As the scope of its signatures names it. */
  service: string
  request: RawRequest
  /** Another request, sent with the signature of the first. */
  changed: RawRequest
  /** It answers on the API's port. */
  atApi?: boolean
}

const CALLS: Call[] = [
  {
    what: 'DynamoDB ListTables',
    service: 'dynamodb',
    request: json('DynamoDB_20120810.ListTables', {}, '1.0'),
    changed: json('DynamoDB_20120810.ListTables', { Limit: 1 }, '1.0'),
  },
  {
    what: 'DynamoDB Scan',
    service: 'dynamodb',
    request: json('DynamoDB_20120810.Scan', { TableName: TABLE, Limit: 1 }, '1.0'),
    changed: json('DynamoDB_20120810.Scan', { TableName: TABLE, Limit: 2 }, '1.0'),
  },
  {
    what: 'DynamoDB PutItem',
    service: 'dynamodb',
    request: json('DynamoDB_20120810.PutItem', item('evil'), '1.0'),
    changed: json('DynamoDB_20120810.PutItem', item('evil#changed'), '1.0'),
  },
  {
    what: 'EventBridge PutEvents',
    service: 'events',
    request: json('AWSEvents.PutEvents', { Entries: [] }),
    changed: json('AWSEvents.PutEvents', { Entries: [{}] }),
  },
  {
    what: 'EventBridge ListRules',
    service: 'events',
    request: json('AWSEvents.ListRules', {}),
    changed: json('AWSEvents.ListRules', { EventBusName: 'wharf-dev' }),
  },
  {
    what: 'KMS CreateKey',
    service: 'kms',
    request: json('TrentService.CreateKey', {}),
    changed: json('TrentService.CreateKey', { Description: 'evil' }),
  },
  {
    what: 'Lambda ListFunctions',
    service: 'lambda',
    request: { method: 'GET', path: '/2015-03-31/functions' },
    changed: { method: 'GET', path: '/2015-03-31/functions?MaxItems=1' },
  },
  {
    what: 'Lambda Invoke',
    service: 'lambda',
    request: { ...invoke('x'), body: '{}' },
    changed: invoke('changed@evil.example'),
  },
  {
    what: 'SES SendEmail',
    service: 'ses',
    request: { method: 'POST', path: '/v2/email/outbound-emails', body: '{}' },
    changed: { method: 'POST', path: '/v2/email/outbound-emails', body: '{"Content":{}}' },
  },
  {
    what: 'STS GetCallerIdentity',
    service: 'sts',
    request: {
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Action=GetCallerIdentity&Version=2011-06-15',
    },
    changed: {
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Action=GetSessionToken&Version=2011-06-15',
    },
  },
  {
    what: 'S3 ListBuckets',
    service: 's3',
    request: { method: 'GET', path: '/' },
    changed: { method: 'GET', path: '/wharf-dev-bucket?list-type=2' },
  },
  {
    what: 'S3 PutObject',
    service: 's3',
    request: { method: 'PUT', path: '/wharf-dev-bucket/evil', body: 'evil' },
    changed: { method: 'PUT', path: '/wharf-dev-bucket/evil', body: 'live' },
  },
  {
    what: 'the mailbox',
    service: 'local',
    request: { method: 'GET', path: '/_aws/ses' },
    changed: { method: 'GET', path: '/_aws/ses?x=1' },
  },
  {
    what: 'the counts of faults',
    service: 'local',
    request: { method: 'GET', path: '/_aws/faults' },
    changed: { method: 'GET', path: '/_aws/faults?x=1' },
  },
  {
    what: 'a plan of faults',
    service: 'local',
    request: { method: 'PUT', path: '/_aws/faults', body: 'seed=x' },
    changed: { method: 'PUT', path: '/_aws/faults', body: 'seed=y' },
  },
  {
    what: '@connections',
    service: 'execute-api',
    request: { method: 'GET', path: '/dev/@connections/none' },
    changed: { method: 'DELETE', path: '/dev/@connections/none' },
    atApi: true,
  },
]

/** The error's name, however its protocol writes it. */
function refusalOf({ body, headers, status }: Answer): string {
  const type =
    /"__type":"([^"]+)"/.exec(body)?.[1] ?? /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? headers['x-amzn-errortype']
  return `${String(type ?? body.slice(0, 80)).replace(/^.*#/, '')} ${status}`
}

type Kind = 'json' | 'rest' | 'query' | 's3'
const KINDS: Record<string, Kind> = { dynamodb: 'json', events: 'json', kms: 'json', sts: 'query', s3: 's3' }
const kindOf = ({ service }: Call): Kind => KINDS[service] ?? 'rest'

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

const endpointOf = ({ atApi }: Call): string => (atApi ? new URL(server().baseUrl).origin : server().cloud)
const genuine = () => credentialsOf(server().environment)

/** Signs `signed` and sends `sent`: the same request by default. */
async function ask(call: Call, signing: Partial<Signing>, sent = call.request, signed = call.request): Promise<Answer> {
  const endpoint = endpointOf(call)
  const { headers } = signRequest(endpoint, signed, { credentials: genuine(), service: call.service, ...signing })
  return send(endpoint, { ...sent, headers })
}

const minutes = (count: number) => new Date(Date.now() + count * 60_000)

describe.each(CALLS)('$what', (call) => {
  const kind = kindOf(call)

  it('is answered when it is signed', async () => {
    const said = refusalOf(await ask(call, {}))
    for (const refusal of [UNSIGNED[kind], UNKNOWN[kind], WRONG[kind]]) expect(said).not.toBe(refusal)
  })

  it('is refused without a signature', async () => {
    expect(refusalOf(await send(endpointOf(call), call.request))).toBe(UNSIGNED[kind])
  })

  it('is refused with another authorization', async () => {
    const headers = { ...call.request.headers, authorization: 'Bearer x' }
    const said = refusalOf(await send(endpointOf(call), { ...call.request, headers }))
    expect(said).toMatch(/^(MissingAuthenticationToken|IncompleteSignature|InvalidRequest)/)
  })

  it('is refused with the credentials that every local cloud used to have', async () => {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
    expect(refusalOf(await ask(call, { credentials }))).toBe(UNKNOWN[kind])
  })

  it('is refused with another secret', async () => {
    const credentials = { ...genuine(), secretAccessKey: 'test' }
    expect(refusalOf(await ask(call, { credentials }))).toBe(WRONG[kind])
  })

  it('is refused when it was changed after it was signed', async () => {
    const said = refusalOf(await ask(call, {}, call.changed))
    expect([WRONG[kind], 'XAmzContentSHA256Mismatch 400']).toContain(said)
  })

  it.each([-20, 20])('is refused when it was signed %s minutes from now', async (count) => {
    const said = refusalOf(await ask(call, { at: minutes(count) }))
    expect(said).toBe(kind === 's3' ? 'RequestTimeTooSkewed 403' : WRONG[kind])
  })

  it.skipIf(call.service === 'local')('is refused with the signature for another service', async () => {
    const said = refusalOf(await ask(call, { service: call.service === 'kms' ? 'lambda' : 'kms' }))
    expect(said).toBe(kind === 's3' ? 'AuthorizationHeaderMalformed 400' : WRONG[kind])
  })

  it('is refused when the host it was signed for is not covered', async () => {
    const signing = { credentials: genuine(), service: call.service }
    const { headers } = signRequest(endpointOf(call), call.request, signing)
    const authorization = headers.authorization!.replace(/;host|host;/, '')
    const said = refusalOf(await send(endpointOf(call), { ...call.request, headers: { ...headers, authorization } }))
    expect(said).toMatch(/^(InvalidSignature|IncompleteSignature|SignatureDoesNotMatch|AccessDenied)/)
  })

  it('is refused under a foreign host name, signed or not', async () => {
    const foreign = { ...call.request, headers: { ...call.request.headers, host: 'rebind.evil.example' } }
    expect((await send(endpointOf(call), foreign)).status).toBe(421)
    expect((await ask(call, {}, foreign, foreign)).status).toBe(421)
  })

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:5561'])(
    'is refused to pages of %s, signed or not',
    async (origin) => {
      const page = { ...call.request, headers: { ...call.request.headers, origin } }
      for (const answer of [await send(endpointOf(call), page), await ask(call, {}, page, page)]) {
        expect(answer.status).toBe(403)
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      }
    },
  )
})

describe('what was refused', () => {
  it('left nothing behind', async () => {
    const { cloud, environment } = server()
    const client = new DynamoDBClient({ endpoint: cloud, region: 'us-east-1', credentials: credentialsOf(environment) })
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
    send(server().cloud, { method: 'OPTIONS', path, headers: { origin: 'https://evil.example', ...headers } })
  const wanting = (method: string, names: string) => ({
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
  ])('is not allowed to ask %s', async (_, path, method, names) => {
    const answer = await asks(path, wanting(method, names))
    expect(answer.status).toBe(403)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('is allowed to send to the bucket, which then wants a presigned request', async () => {
    const answer = await asks('/wharf-dev-bucket/x', wanting('PUT', 'content-type'))
    expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } })
    const unsigned = await send(server().cloud, {
      method: 'PUT',
      path: '/wharf-dev-bucket/x',
      headers: { origin: 'https://evil.example' },
      body: 'evil',
    })
    expect(unsigned.status).toBe(403)
  })
})

describe('the host a request names', () => {
  const asking = (url: string, host: string) =>
    send(url, { method: 'GET', path: '/health', headers: { host } }).then(({ status }) => status)
  const portOf = (url: string) => new URL(url).port

  it.each(['rebind.evil.example', '127.0.0.1.nip.io', 'localhost.evil.example', '0.0.0.0', '[::]', '192.168.1.7', ''])(
    'may not be %j, neither at the cloud nor at the API',
    async (name) => {
      for (const url of [server().cloud, new URL(server().baseUrl).origin]) {
        expect(await asking(url, `${name}:${portOf(url)}`)).toBe(421)
        if (name) expect(await asking(url, name)).toBe(421)
      }
    },
  )

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('may be %s', async (name) => {
    const url = new URL(server().baseUrl).origin
    expect(await asking(url, `${name}:${portOf(url)}`)).toBe(200)
    expect(await asking(server().cloud, `${name}:${portOf(server().cloud)}`)).not.toBe(421)
  })

  it('is looked at when a WebSocket is opened', async () => {
    const url = new URL(server().baseUrl).origin
    const answer = await upgrade(url, 'rebind.evil.example')
    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
  })
})

/** The first line of what an upgrade to a WebSocket is answered. */
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
