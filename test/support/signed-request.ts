/** Hand-signed AWS requests, independent of the code under test and sent exactly as given. */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

export const getCredentials = (environment: Record<string, string>): Credentials => ({
  accessKeyId: environment.AWS_ACCESS_KEY_ID!,
  secretAccessKey: environment.AWS_SECRET_ACCESS_KEY!,
})

export interface RawRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface RawResponse {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

export interface Signing {
  credentials: Credentials
  service: string
  payload?: string
  at?: Date
}

export interface Signed {
  headers: Record<string, string>
}

/** Signs all headers. S3 signs the path as sent, the others encode it again; a path for S3 must need no encoding. */
export function signRequest(
  endpoint: string,
  { method, path, headers = {}, body = '' }: RawRequest,
  { credentials, service, payload = sha256(body), at = new Date() }: Signing,
): Signed {
  const timestamp = at.toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = `${timestamp.slice(0, 8)}/us-east-1/${service}/aws4_request`
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`) as Buffer
  const all: Record<string, string> = {
    host: new URL(endpoint).host,
    ...headers,
    ...(service === 's3' ? { 'x-amz-content-sha256': payload } : {}),
    'x-amz-date': timestamp,
  }
  const names = Object.keys(all).sort()
  const [route = '', query = ''] = path.split('?')
  const canonical = [
    method,
    service === 's3' ? route : route.split('/').map(encodeURIComponent).join('/'),
    query,
    ...names.map((name) => `${name}:${all[name]}`),
    '',
    names.join(';'),
    payload,
  ].join('\n')
  const signature = hmac(key, ['AWS4-HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n')).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { headers: { ...all, authorization } }
}

export async function send(endpoint: string, { method, path, headers, body }: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(endpoint)
  const outgoing = request({ hostname, port, method, path, headers, agent: false })
  outgoing.end(body)
  const sent = once(outgoing, 'close')
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  const pieces: Buffer[] = []
  for await (const piece of incoming!) pieces.push(piece)
  await sent
  return { status: incoming!.statusCode!, headers: incoming!.headers, body: Buffer.concat(pieces).toString() }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
export async function callCloud(environment: Record<string, string>, path: string, plan?: string): Promise<any> {
  const endpoint = environment.AWS_ENDPOINT_URL!
  const raw = { method: plan === undefined ? 'GET' : 'PUT', path, body: plan }
  const { headers } = signRequest(endpoint, raw, { credentials: getCredentials(environment), service: 'local' })
  const { status, body } = await send(endpoint, { ...raw, headers })
  if (status !== 200) throw new Error(`${raw.method} ${path}: ${status} ${body}`)
  return JSON.parse(body)
}
