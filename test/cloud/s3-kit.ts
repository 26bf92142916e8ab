/** What the S3 suites share: a client with a bucket of its own, and requests signed by hand for what no SDK sends. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { s3 } from '../../localstack/cloud/s3/index.ts'
import { clientConfig, conformanceTarget } from '../support/conformance.ts'

export const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' }

export interface Suite {
  endpoint: string
  client: S3Client
  bucket: string
  /** Of the embedded service; nothing of interest with CLOUD set. */
  dataDir: string
  /** What the embedded service told of new objects, newest last. */
  created: { bucket: string; key: string; sizeBytes: number }[]
  close(): Promise<void>
}

export const newClient = (endpoint: string) => new S3Client({ ...clientConfig(endpoint), forcePathStyle: true })

export async function startSuite(): Promise<Suite> {
  const dataDir = await mkdtemp(join(tmpdir(), 's3-'))
  const created: Suite['created'] = []
  const onObjectCreated = (bucket: string, key: string, sizeBytes: number) =>
    void created.push({ bucket, key, sizeBytes })
  const target = await conformanceTarget(() => s3({ dataDir, ...CREDENTIALS, onObjectCreated }))
  const client = newClient(target.endpoint)
  const bucket = await newBucket(client)
  return {
    endpoint: target.endpoint,
    client,
    bucket,
    dataDir,
    created,
    close: async () => {
      client.destroy()
      await target.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

export async function newBucket(client: S3Client): Promise<string> {
  const Bucket = `suite-${randomBytes(8).toString('hex')}`
  await client.send(new CreateBucketCommand({ Bucket }))
  return Bucket
}

export const put = ({ client, bucket }: Suite, Key: string, Body: string | Uint8Array) =>
  client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))

export async function get({ client, bucket }: Suite, Key: string): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }))
  return Buffer.from(await Body!.transformToByteArray())
}

/** `code status` of a refused command. Fails when it is accepted. */
export async function refusal(command: Promise<unknown>): Promise<string> {
  try {
    await command
  } catch (error) {
    if (error instanceof S3ServiceException) return `${error.name} ${error.$metadata.httpStatusCode}`
    throw error
  }
  throw new Error('the request was accepted')
}

export const md5 = (data: string | Buffer): string => createHash('md5').update(data).digest('hex')
export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

export interface RawRequest {
  method: string
  /** As it goes over the wire: nothing is encoded or resolved. */
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** One request exactly as given, sent to its end even when the answer comes earlier. Fails when the connection is cut. */
export async function send(endpoint: string, { method, path, headers, body }: RawRequest): Promise<Answer> {
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

/** `Code status` of an error answer. */
export const errorOf = ({ status, body }: Answer): string => `${/<Code>(\w+)<\/Code>/.exec(body)?.[1]} ${status}`

const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/** A signature made here by the book, apart from the code under test. `path` must need no encoding. */
export interface Signed {
  headers: Record<string, string>
  signature: string
  /** Signs a text about a chunk or a trailer with the same key. */
  continue(algorithm: string, previous: string, hashes: string): string
}

export function signRequest(
  endpoint: string,
  { method, path, headers = {} }: RawRequest,
  payload: string,
  at = new Date(),
): Signed {
  const timestamp = at.toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = `${timestamp.slice(0, 8)}/us-east-1/s3/aws4_request`
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${CREDENTIALS.secretAccessKey}`) as Buffer
  const all: Record<string, string> = {
    ...headers,
    host: new URL(endpoint).host,
    'x-amz-content-sha256': payload,
    'x-amz-date': timestamp,
  }
  const names = Object.keys(all).sort()
  const canonical = [
    method,
    ...path.split('?', 1),
    path.split('?')[1] ?? '',
    ...names.map((name) => `${name}:${all[name]}`),
    '',
    names.join(';'),
    payload,
  ].join('\n')
  const sign = (...lines: string[]) => hmac(key, lines.join('\n')).toString('hex')
  const signature = sign('AWS4-HMAC-SHA256', timestamp, scope, sha256(canonical))
  const authorization = `AWS4-HMAC-SHA256 Credential=${CREDENTIALS.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return {
    headers: { ...all, authorization },
    signature,
    continue: (algorithm, previous, hashes) => sign(algorithm, timestamp, scope, previous, hashes),
  }
}

/** A request signed by hand with an unsigned payload. */
export function sendSigned(endpoint: string, raw: RawRequest): Promise<Answer> {
  const { headers } = signRequest(endpoint, raw, 'UNSIGNED-PAYLOAD')
  return send(endpoint, { ...raw, headers })
}
