/** Helpers shared by the S3 suites: a client with its own bucket, and hand-signed requests that no SDK sends. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { afterAll } from 'vitest'
import { CREDENTIALS, clientConfig, conformanceTarget } from '../../../test/support/conformance.ts'
import {
  type RawRequest,
  type RawResponse,
  type Signed,
  send,
  signRequest as sign,
} from '../../../test/support/signed-request.ts'
import { startS3 } from '../src/s3/index.ts'

export interface Suite {
  endpoint: string
  client: S3Client
  bucket: string
  dataDir: string
}

export const newClient = (endpoint: string) => new S3Client({ ...clientConfig(endpoint), forcePathStyle: true })

/** Starts the S3 of a test file until the file's tests have run. */
export async function startSuite(): Promise<Suite> {
  const dataDir = await mkdtemp(join(tmpdir(), 's3-'))
  const target = await conformanceTarget(() => startS3({ dataDir, ...CREDENTIALS }))
  const client = newClient(target.endpoint)
  const bucket = await newBucket(client)
  afterAll(async () => {
    client.destroy()
    await target.close()
    await rm(dataDir, { recursive: true })
  })
  return { endpoint: target.endpoint, client, bucket, dataDir }
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

export async function catchErrorCode(command: Promise<unknown>): Promise<string> {
  try {
    await command
  } catch (error) {
    if (error instanceof S3ServiceException) return `${error.name} ${error.$metadata.httpStatusCode}`
    throw error
  }
  throw new Error('the request was accepted')
}

export const md5 = (data: string | Buffer): string => createHash('md5').update(data).digest('hex')

export const parseErrorCode = ({ status, body }: RawResponse): string =>
  `${/<Code>(\w+)<\/Code>/.exec(body)?.[1]} ${status}`

export const signRequest = (endpoint: string, raw: RawRequest, payload: string, at?: Date): Signed =>
  sign(endpoint, raw, { credentials: CREDENTIALS, service: 's3', payload, at })

export function sendSigned(endpoint: string, raw: RawRequest): Promise<RawResponse> {
  const { headers } = signRequest(endpoint, raw, 'UNSIGNED-PAYLOAD')
  return send(endpoint, { ...raw, headers })
}
