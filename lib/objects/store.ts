/** Access to the bucket; nothing else calls S3. Lazy, so functions without objects do not load the SDK. */
import type { Readable } from 'node:stream'
import type { PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import { createClient } from '../core/aws-client.ts'
import { env, processEnv } from '../core/env.ts'
import { lazy } from '../core/lazy.ts'
import { measure } from '../core/stopwatch.ts'

export const getBucketName = (): string => env().BUCKET_NAME

type Sdk = typeof import('@aws-sdk/client-s3')

async function connect(): Promise<{ sdk: Sdk; client: S3Client }> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = createClient(sdk.S3Client, {
    forcePathStyle: Boolean(processEnv().AWS_ENDPOINT_URL),
    // The newer default's checksums break presigned uploads from browsers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { sdk, client }
}

const s3 = lazy(connect)
const presigner = lazy(() => import('@aws-sdk/s3-request-presigner'))

export interface ObjectHead {
  size: number
  contentType: string | undefined
  /** With quotes, as S3 returns it. */
  etag: string | undefined
  lastModified: Date | undefined
}

export interface PutOptions {
  contentType?: string
  contentDisposition?: string
}

export async function putObject(key: string, body: Uint8Array | string, options: PutOptions = {}): Promise<void> {
  const { sdk, client } = await s3()
  const command = new sdk.PutObjectCommand({
    Bucket: getBucketName(),
    Key: key,
    Body: body,
    ContentType: options.contentType,
    ContentDisposition: options.contentDisposition,
  })
  leaveBodyUnsigned(command)
  await client.send(command)
}

/** TLS protects the bytes on their way, so they are not hashed to sign them. */
function leaveBodyUnsigned(command: PutObjectCommand | UploadPartCommand): void {
  const { middlewareStack } = command as PutObjectCommand
  middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD'
      return next(args)
    },
    { step: 'build' },
  )
}

/** @throws the SDK's `NoSuchKey` when there is no such object */
export async function getObject(key: string): Promise<Buffer> {
  const { sdk, client } = await s3()
  const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: getBucketName(), Key: key }))
  return toBuffer(await Body!.transformToByteArray())
}

export async function getRange(key: string, start: number, end: number): Promise<Buffer> {
  const { sdk, client } = await s3()
  const range = `bytes=${start}-${end - 1}`
  const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: getBucketName(), Key: key, Range: range }))
  return toBuffer(await Body!.transformToByteArray())
}

/** Bytes [start, end) as a stream; destroy it when you stop early. */
export async function getStream(key: string, start = 0, end?: number): Promise<Readable> {
  const { sdk, client } = await s3()
  const Range = start > 0 || end !== undefined ? `bytes=${start}-${end === undefined ? '' : end - 1}` : undefined
  const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: getBucketName(), Key: key, Range }))
  return Body as Readable
}

export async function headObject(key: string): Promise<ObjectHead | undefined> {
  const { sdk, client } = await s3()
  try {
    const head = await client.send(new sdk.HeadObjectCommand({ Bucket: getBucketName(), Key: key }))
    return {
      size: head.ContentLength ?? 0,
      contentType: head.ContentType,
      etag: head.ETag,
      lastModified: head.LastModified,
    }
  } catch (error) {
    if (error instanceof sdk.S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined
    throw error
  }
}

export async function copyObject(from: string, to: string): Promise<void> {
  const { sdk, client } = await s3()
  const source = `${getBucketName()}/${from.split('/').map(encodeURIComponent).join('/')}`
  await client.send(new sdk.CopyObjectCommand({ Bucket: getBucketName(), Key: to, CopySource: source }))
}

export async function deleteObject(key: string): Promise<void> {
  const { sdk, client } = await s3()
  await client.send(new sdk.DeleteObjectCommand({ Bucket: getBucketName(), Key: key }))
}

export interface ListedObject {
  key: string
  size: number
  lastModified: Date
}

export async function* listObjects(prefix: string): AsyncGenerator<ListedObject> {
  const { sdk, client } = await s3()
  let ContinuationToken: string | undefined
  do {
    const response = await client.send(
      new sdk.ListObjectsV2Command({ Bucket: getBucketName(), Prefix: prefix, ContinuationToken }),
    )
    for (const { Key, Size, LastModified } of response.Contents ?? [])
      yield { key: Key!, size: Size ?? 0, lastModified: LastModified! }
    ContinuationToken = response.NextContinuationToken
  } while (ContinuationToken)
}

export async function* listFolders(prefix: string): AsyncGenerator<string> {
  const { sdk, client } = await s3()
  let ContinuationToken: string | undefined
  do {
    const response = await client.send(
      new sdk.ListObjectsV2Command({ Bucket: getBucketName(), Prefix: prefix, Delimiter: '/', ContinuationToken }),
    )
    for (const { Prefix } of response.CommonPrefixes ?? []) yield Prefix!.slice(prefix.length, -1)
    ContinuationToken = response.NextContinuationToken
  } while (ContinuationToken)
}

const MAX_KEYS_PER_DELETE = 1000

export async function deleteObjects(keys: readonly string[]): Promise<void> {
  const { sdk, client } = await s3()
  for (let from = 0; from < keys.length; from += MAX_KEYS_PER_DELETE) {
    const Objects = keys.slice(from, from + MAX_KEYS_PER_DELETE).map((Key) => ({ Key }))
    const { Errors } = await client.send(
      new sdk.DeleteObjectsCommand({ Bucket: getBucketName(), Delete: { Objects, Quiet: true } }),
    )
    if (Errors?.length) throw new Error(`Could not delete ${Errors[0]!.Key}: ${Errors[0]!.Message}`)
  }
}

/** Idempotent. @throws if an object could not be deleted */
export async function deletePrefix(prefix: string): Promise<void> {
  const keys: string[] = []
  for await (const { key } of listObjects(prefix)) keys.push(key)
  await deleteObjects(keys)
}

/** Valid for one PUT; a given content type must be sent with it. */
export async function presignPut(key: string, expiresSeconds: number, options: PutOptions = {}): Promise<string> {
  const { sdk, client } = await s3()
  const { getSignedUrl } = await presigner()
  const command = new sdk.PutObjectCommand({
    Bucket: getBucketName(),
    Key: key,
    ContentType: options.contentType,
    ContentDisposition: options.contentDisposition,
  })
  return getSignedUrl(client, command, { expiresIn: expiresSeconds })
}

export async function presignGet(key: string, expiresSeconds: number, options: PutOptions = {}): Promise<string> {
  const { sdk, client } = await s3()
  const { getSignedUrl } = await presigner()
  const command = new sdk.GetObjectCommand({
    Bucket: getBucketName(),
    Key: key,
    ResponseContentType: options.contentType,
    ResponseContentDisposition: options.contentDisposition,
  })
  return getSignedUrl(client, command, { expiresIn: expiresSeconds })
}

export async function createMultipart(key: string, options: PutOptions = {}): Promise<string> {
  const { sdk, client } = await s3()
  const { UploadId } = await client.send(
    new sdk.CreateMultipartUploadCommand({
      Bucket: getBucketName(),
      Key: key,
      ContentType: options.contentType,
      ContentDisposition: options.contentDisposition,
    }),
  )
  return UploadId!
}

export interface UploadedPart {
  partNumber: number
  etag: string
}

export async function presignPart(
  key: string,
  uploadId: string,
  partNumber: number,
  expiresSeconds: number,
): Promise<string> {
  const { sdk, client } = await s3()
  const { getSignedUrl } = await presigner()
  const command = new sdk.UploadPartCommand({
    Bucket: getBucketName(),
    Key: key,
    UploadId: uploadId,
    PartNumber: partNumber,
  })
  return getSignedUrl(client, command, { expiresIn: expiresSeconds })
}

export async function uploadPart(
  key: string,
  uploadId: string,
  partNumber: number,
  body: Uint8Array,
): Promise<UploadedPart> {
  const { sdk, client } = await s3()
  const command = new sdk.UploadPartCommand({
    Bucket: getBucketName(),
    Key: key,
    UploadId: uploadId,
    PartNumber: partNumber,
    Body: body,
  })
  leaveBodyUnsigned(command)
  const { ETag } = await client.send(command)
  return { partNumber, etag: ETag! }
}

export async function completeMultipart(key: string, uploadId: string, parts: readonly UploadedPart[]): Promise<void> {
  const { sdk, client } = await s3()
  const Parts = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag }))
  await client.send(
    new sdk.CompleteMultipartUploadCommand({
      Bucket: getBucketName(),
      Key: key,
      UploadId: uploadId,
      MultipartUpload: { Parts },
    }),
  )
}

export async function abortMultipart(key: string, uploadId: string): Promise<void> {
  const { sdk, client } = await s3()
  await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: getBucketName(), Key: key, UploadId: uploadId }))
}

/** Limits of S3; the last part of an upload may be smaller. */
export const MAX_PARTS_PER_UPLOAD = 10_000
const MIN_PART_BYTES = 5 * 1024 * 1024
/** Allows objects of 80 GB. */
export const PART_BYTES = 8 * 1024 * 1024
const MAX_CONCURRENT_PARTS = 2

/** Streams into one object, holding only a few parts in memory. On failure no object and no parts remain. */
export async function putStream(
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  { onUploaded, ...options }: PutOptions & { onUploaded?(part: Uint8Array): void } = {},
): Promise<number> {
  const parts = splitParts(chunks)
  const first = await parts.next()
  const second = first.done ? first : await parts.next()
  if (second.done) {
    const body = first.done ? new Uint8Array() : first.value
    await putObject(key, body, options)
    return body.length
  }
  const uploadId = await createMultipart(key, options)
  try {
    const { uploaded, size } = await uploadParts({ key, uploadId, onUploaded }, [first.value, second.value], parts)
    await completeMultipart(key, uploadId, uploaded)
    return size
  } catch (error) {
    await parts.return(undefined)
    // The caller needs the first error.
    await abortMultipart(key, uploadId).catch(() => {})
    throw error
  }
}

/**
 * Uploads bytes as parts with these numbers, each large enough to be followed by others.
 * @returns `uploaded` is undefined if the bytes are too few for one part or too many for the numbers
 */
export async function putParts(
  key: string,
  uploadId: string,
  numbers: { from: number; to: number },
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ uploaded: UploadedPart[] | undefined; size: number }> {
  const uploaded: UploadedPart[] = []
  let size = 0
  for await (const body of joinLastParts(splitParts(chunks))) {
    size += body.length
    const partNumber = numbers.from + uploaded.length
    if (body.length < MIN_PART_BYTES || partNumber > numbers.to) return { uploaded: undefined, size }
    uploaded.push(await measure('writing', () => uploadPart(key, uploadId, partNumber, body)))
  }
  return { uploaded, size }
}

/** The last part is joined with the one before if it is too small. */
async function* joinLastParts(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let previous: Buffer | undefined
  for await (const part of parts) {
    if (previous && part.length < MIN_PART_BYTES) {
      yield Buffer.concat([previous, part])
      previous = undefined
      continue
    }
    if (previous) yield previous
    previous = part
  }
  if (previous) yield previous
}

async function* splitParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let buffered: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    buffered.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    yield joinBuffers(buffered)
    buffered = []
    size = 0
  }
  if (size) yield joinBuffers(buffered)
}

const joinBuffers = (buffers: readonly Uint8Array[]): Buffer =>
  buffers.length === 1 ? toBuffer(buffers[0]!) : Buffer.concat(buffers)

async function uploadParts(
  {
    key,
    uploadId,
    onUploaded,
  }: { key: string; uploadId: string; onUploaded?: ((part: Uint8Array) => void) | undefined },
  firstParts: readonly Buffer[],
  remainingParts: AsyncIterable<Buffer>,
): Promise<{ uploaded: UploadedPart[]; size: number }> {
  const uploads: Promise<UploadedPart>[] = []
  let size = 0
  const startUpload = async (body: Buffer): Promise<void> => {
    size += body.length
    const upload = uploadPart(key, uploadId, uploads.length + 1, body).then((part) => {
      onUploaded?.(body)
      return part
    })
    // The error surfaces when the upload is awaited, not as an unhandled rejection before.
    upload.catch(() => {})
    uploads.push(upload)
    if (uploads.length >= MAX_CONCURRENT_PARTS)
      await measure('writing', async () => uploads[uploads.length - MAX_CONCURRENT_PARTS])
  }
  try {
    for (const body of firstParts) await startUpload(body)
    for await (const body of remainingParts) await startUpload(body)
    return { uploaded: await measure('writing', () => Promise.all(uploads)), size }
  } finally {
    // A part that arrives after the abort would be stored forever.
    await Promise.allSettled(uploads)
  }
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
