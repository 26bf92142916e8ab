/**
 * Objects in the bucket: the only place that speaks S3. Small typed functions over bytes and keys; what the objects mean
 * is for records and files to know. The SDK is loaded at first use, so functions that touch no object do not pay for it.
 */
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { clientDefaults } from '../core/cloud.ts'
import { env, processEnv } from '../core/env.ts'
import { onDemand } from '../core/on-demand.ts'

export const bucketName = (): string => env().BUCKET_NAME

type Sdk = typeof import('@aws-sdk/client-s3')

async function connect(): Promise<{ sdk: Sdk; client: S3Client }> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    ...clientDefaults(),
    forcePathStyle: Boolean(processEnv().AWS_ENDPOINT_URL),
    // Checksums of the newer default do not fit presigned uploads from browsers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { sdk, client }
}

const s3 = onDemand(connect)
const presigner = onDemand(() => import('@aws-sdk/s3-request-presigner'))

export interface ObjectHead {
  /** Bytes. */
  size: number
  contentType: string | undefined
  /** With quotes, as S3 gives it. */
  etag: string | undefined
  lastModified: Date | undefined
}

export interface PutOptions {
  contentType?: string
  /** E.g. `attachment; filename="a.csv"`. */
  contentDisposition?: string
}

export async function putObject(key: string, body: Uint8Array | string, options: PutOptions = {}): Promise<void> {
  const { sdk, client } = await s3()
  await client.send(
    new sdk.PutObjectCommand({
      Bucket: bucketName(),
      Key: key,
      Body: body,
      ContentType: options.contentType,
      ContentDisposition: options.contentDisposition,
    }),
  )
}

/** @throws the SDK's `NoSuchKey` when there is no such object */
export async function getObject(key: string): Promise<Buffer> {
  const { sdk, client } = await s3()
  const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucketName(), Key: key }))
  return bufferOf(await Body!.transformToByteArray())
}

/** Bytes [start, end) of an object. */
export async function getRange(key: string, start: number, end: number): Promise<Buffer> {
  const { sdk, client } = await s3()
  const range = `bytes=${start}-${end - 1}`
  const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucketName(), Key: key, Range: range }))
  return bufferOf(await Body!.transformToByteArray())
}

/** The object as a stream, from byte `start` on, to before byte `end`; destroy it when you stop early. */
export async function getStream(key: string, start = 0, end?: number): Promise<Readable> {
  const { sdk, client } = await s3()
  const Range = start > 0 || end !== undefined ? `bytes=${start}-${end === undefined ? '' : end - 1}` : undefined
  const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucketName(), Key: key, Range }))
  return Body as Readable
}

/** Undefined when there is no such object. */
export async function headObject(key: string): Promise<ObjectHead | undefined> {
  const { sdk, client } = await s3()
  try {
    const head = await client.send(new sdk.HeadObjectCommand({ Bucket: bucketName(), Key: key }))
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

/** Copies within the bucket, without the bytes passing through here. */
export async function copyObject(from: string, to: string): Promise<void> {
  const { sdk, client } = await s3()
  const source = `${bucketName()}/${from.split('/').map(encodeURIComponent).join('/')}`
  await client.send(new sdk.CopyObjectCommand({ Bucket: bucketName(), Key: to, CopySource: source }))
}

/** Deleting what is not there succeeds. */
export async function deleteObject(key: string): Promise<void> {
  const { sdk, client } = await s3()
  await client.send(new sdk.DeleteObjectCommand({ Bucket: bucketName(), Key: key }))
}

export interface ListedObject {
  key: string
  /** Bytes. */
  size: number
  lastModified: Date
}

/** Every object whose key begins so, by key. */
export async function* listObjects(prefix: string): AsyncGenerator<ListedObject> {
  const { sdk, client } = await s3()
  let ContinuationToken: string | undefined
  do {
    const answer = await client.send(
      new sdk.ListObjectsV2Command({ Bucket: bucketName(), Prefix: prefix, ContinuationToken }),
    )
    for (const { Key, Size, LastModified } of answer.Contents ?? [])
      yield { key: Key!, size: Size ?? 0, lastModified: LastModified! }
    ContinuationToken = answer.NextContinuationToken
  } while (ContinuationToken)
}

/** The names that come next after a prefix, up to a slash: `<prefix><name>/...`. */
export async function* listFolders(prefix: string): AsyncGenerator<string> {
  const { sdk, client } = await s3()
  let ContinuationToken: string | undefined
  do {
    const answer = await client.send(
      new sdk.ListObjectsV2Command({ Bucket: bucketName(), Prefix: prefix, Delimiter: '/', ContinuationToken }),
    )
    for (const { Prefix } of answer.CommonPrefixes ?? []) yield Prefix!.slice(prefix.length, -1)
    ContinuationToken = answer.NextContinuationToken
  } while (ContinuationToken)
}

/** DeleteObjects takes 1,000 keys. */
const DELETED_AT_ONCE = 1000

/** Deletes objects; those that are not there count as deleted. @throws when one of them could not be deleted */
export async function deleteObjects(keys: readonly string[]): Promise<void> {
  const { sdk, client } = await s3()
  for (let from = 0; from < keys.length; from += DELETED_AT_ONCE) {
    const Objects = keys.slice(from, from + DELETED_AT_ONCE).map((Key) => ({ Key }))
    const { Errors } = await client.send(
      new sdk.DeleteObjectsCommand({ Bucket: bucketName(), Delete: { Objects, Quiet: true } }),
    )
    if (Errors?.length) throw new Error(`Could not delete ${Errors[0]!.Key}: ${Errors[0]!.Message}`)
  }
}

/** Deletes every object whose key begins so; repeatable. @throws when one of them could not be deleted */
export async function deletePrefix(prefix: string): Promise<void> {
  const keys: string[] = []
  for await (const { key } of listObjects(prefix)) keys.push(key)
  await deleteObjects(keys)
}

/** A URL that takes one PUT of an object for `expiresSeconds`; a given content type must be sent with it. */
export async function presignPut(key: string, expiresSeconds: number, options: PutOptions = {}): Promise<string> {
  const { sdk, client } = await s3()
  const { getSignedUrl } = await presigner()
  const command = new sdk.PutObjectCommand({
    Bucket: bucketName(),
    Key: key,
    ContentType: options.contentType,
    ContentDisposition: options.contentDisposition,
  })
  return getSignedUrl(client, command, { expiresIn: expiresSeconds })
}

/** A URL to read an object for `expiresSeconds`, answered with the given headers. */
export async function presignGet(key: string, expiresSeconds: number, options: PutOptions = {}): Promise<string> {
  const { sdk, client } = await s3()
  const { getSignedUrl } = await presigner()
  const command = new sdk.GetObjectCommand({
    Bucket: bucketName(),
    Key: key,
    ResponseContentType: options.contentType,
    ResponseContentDisposition: options.contentDisposition,
  })
  return getSignedUrl(client, command, { expiresIn: expiresSeconds })
}

/** Starts a multipart upload; answers its id. */
export async function createMultipart(key: string, options: PutOptions = {}): Promise<string> {
  const { sdk, client } = await s3()
  const { UploadId } = await client.send(
    new sdk.CreateMultipartUploadCommand({
      Bucket: bucketName(),
      Key: key,
      ContentType: options.contentType,
      ContentDisposition: options.contentDisposition,
    }),
  )
  return UploadId!
}

export interface UploadedPart {
  /** From 1; every part but the last at least 5 MiB. */
  partNumber: number
  etag: string
}

/** A URL that takes the PUT of one part. */
export async function presignPart(
  key: string,
  uploadId: string,
  partNumber: number,
  expiresSeconds: number,
): Promise<string> {
  const { sdk, client } = await s3()
  const { getSignedUrl } = await presigner()
  const command = new sdk.UploadPartCommand({
    Bucket: bucketName(),
    Key: key,
    UploadId: uploadId,
    PartNumber: partNumber,
  })
  return getSignedUrl(client, command, { expiresIn: expiresSeconds })
}

/** Uploads one part of a multipart upload. */
export async function uploadPart(
  key: string,
  uploadId: string,
  partNumber: number,
  body: Uint8Array,
): Promise<UploadedPart> {
  const { sdk, client } = await s3()
  const { ETag } = await client.send(
    new sdk.UploadPartCommand({
      Bucket: bucketName(),
      Key: key,
      UploadId: uploadId,
      PartNumber: partNumber,
      Body: body,
    }),
  )
  return { partNumber, etag: ETag! }
}

export async function completeMultipart(key: string, uploadId: string, parts: readonly UploadedPart[]): Promise<void> {
  const { sdk, client } = await s3()
  const Parts = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag }))
  await client.send(
    new sdk.CompleteMultipartUploadCommand({
      Bucket: bucketName(),
      Key: key,
      UploadId: uploadId,
      MultipartUpload: { Parts },
    }),
  )
}

/** Gives up a multipart upload and its parts. */
export async function abortMultipart(key: string, uploadId: string): Promise<void> {
  const { sdk, client } = await s3()
  await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucketName(), Key: key, UploadId: uploadId }))
}

/** An upload has at most 10,000 parts: with parts of this size, 80 GB. */
const PART_BYTES = 8 * 1024 * 1024
const PARTS_IN_FLIGHT = 2

/**
 * Stores what a stream gives as one object, in memory of some parts only: up to 8 MiB as a single PUT, more in parts, two
 * at a time. When the stream or the upload fails, no object appears and nothing is kept of the parts.
 * @returns bytes stored
 */
export async function putStream(
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  options: PutOptions = {},
): Promise<number> {
  const parts = partsOf(chunks)
  const first = await parts.next()
  const second = first.done ? first : await parts.next()
  if (second.done) {
    const body = first.done ? new Uint8Array() : first.value
    await putObject(key, body, options)
    return body.length
  }
  const uploadId = await createMultipart(key, options)
  try {
    const { uploaded, size } = await uploadParts(key, uploadId, [first.value, second.value], parts)
    await completeMultipart(key, uploadId, uploaded)
    return size
  } catch (error) {
    await parts.return(undefined)
    // What went wrong first is what the caller has to know.
    await abortMultipart(key, uploadId).catch(() => {})
    throw error
  }
}

/** Joins chunks to bodies of 8 MiB and more; the last may be shorter. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size) yield Buffer.concat(held)
}

async function uploadParts(
  key: string,
  uploadId: string,
  known: readonly Buffer[],
  more: AsyncIterable<Buffer>,
): Promise<{ uploaded: UploadedPart[]; size: number }> {
  const uploads: Promise<UploadedPart>[] = []
  let size = 0
  const start = async (body: Buffer): Promise<void> => {
    size += body.length
    const upload = uploadPart(key, uploadId, uploads.length + 1, body)
    // A failure is met when the upload is awaited, not as an unhandled rejection before.
    upload.catch(() => {})
    uploads.push(upload)
    if (uploads.length >= PARTS_IN_FLIGHT) await uploads[uploads.length - PARTS_IN_FLIGHT]
  }
  try {
    for (const body of known) await start(body)
    for await (const body of more) await start(body)
    return { uploaded: await Promise.all(uploads), size }
  } finally {
    // A part that arrives after the abort would be kept.
    await Promise.allSettled(uploads)
  }
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
