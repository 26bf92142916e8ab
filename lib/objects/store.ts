/**
 * Objects in the bucket: the only place that speaks S3. Small typed functions over bytes and keys; what the objects mean
 * is for records and files to know. The SDK is loaded at first use, so functions that touch no object do not pay for it.
 */
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'

export const bucketName = (): string => env().BUCKET_NAME

type Sdk = typeof import('@aws-sdk/client-s3')
let loaded: Promise<{ sdk: Sdk; client: S3Client }> | undefined

async function connect(): Promise<{ sdk: Sdk; client: S3Client }> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    ...clientDefaults(),
    forcePathStyle: Boolean(process.env.AWS_ENDPOINT_URL),
    // Checksums of the newer default do not fit presigned uploads from browsers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { sdk, client }
}

const s3 = (): Promise<{ sdk: Sdk; client: S3Client }> => {
  loaded ??= connect()
  return loaded
}

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

/** The object as a stream, from byte `start` on; destroy it when you stop early. */
export async function getStream(key: string, start = 0): Promise<Readable> {
  const { sdk, client } = await s3()
  const Range = start > 0 ? `bytes=${start}-` : undefined
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

/** Deletes every object whose key begins so; repeatable. @throws when one of them could not be deleted */
export async function deletePrefix(prefix: string): Promise<void> {
  const { sdk, client } = await s3()
  for (;;) {
    const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command({ Bucket: bucketName(), Prefix: prefix }))
    if (Contents.length === 0) return
    const Objects = Contents.map(({ Key }) => ({ Key: Key! }))
    const { Errors } = await client.send(
      new sdk.DeleteObjectsCommand({ Bucket: bucketName(), Delete: { Objects, Quiet: true } }),
    )
    if (Errors?.length) throw new Error(`Could not delete ${Errors[0]!.Key}: ${Errors[0]!.Message}`)
  }
}

/** A URL that takes one PUT of an object for `expiresSeconds`; a given content type must be sent with it. */
export async function presignPut(key: string, expiresSeconds: number, options: PutOptions = {}): Promise<string> {
  const { sdk, client } = await s3()
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
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
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
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
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const command = new sdk.UploadPartCommand({
    Bucket: bucketName(),
    Key: key,
    UploadId: uploadId,
    PartNumber: partNumber,
  })
  return getSignedUrl(client, command, { expiresIn: expiresSeconds })
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

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
