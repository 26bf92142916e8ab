/** Multipart uploads: https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */
import { openBody } from './body.ts'
import { assembleObject, readPartList } from './complete-multipart.ts'
import { S3Error } from './errors.ts'
import { readStoredHeaders } from './object-headers.ts'
import { type Operation, readXml } from './operation.ts'
import type { S3Request } from './request.ts'
import type { Part, Upload } from './uploads.ts'
import { buildDocument, buildElement, buildText } from './xml.ts'

const MAX_PARTS_PER_UPLOAD = 10_000

const getUploadId = (request: S3Request): string => request.query('uploadId') ?? ''

export const createMultipartUpload: Operation = async ({ request, store }) => {
  const bucket = store.getBucket(request.bucket)
  const upload: Upload = { key: request.key, initiatedAt: Date.now(), headers: readStoredHeaders(request) }
  const id = await bucket.uploads.create(upload, store.createTemporaryPath())
  return {
    status: 200,
    body: buildDocument(
      'InitiateMultipartUploadResult',
      buildText('Bucket', bucket.name),
      buildText('Key', upload.key),
      buildText('UploadId', id),
    ),
  }
}

export const uploadPart: Operation = async ({ request, payloadHash, store }) => {
  if (request.header('x-amz-copy-source')) throw new S3Error('NotImplemented', 'UploadPartCopy is not implemented')
  const bucket = store.getBucket(request.bucket)
  const id = getUploadId(request)
  const number = parsePartNumber(request)
  await bucket.uploads.find(id, request.key)
  const body = openBody(request, payloadHash)
  const etag = await store.writeTemporary(body.pieces, undefined, async (writer) => {
    const { sizeBytes, md5 } = body.digest
    const part: Part = { number, sizeBytes, etag: md5 }
    await bucket.uploads.putPart(id, writer, part)
    return part.etag
  })
  return { status: 200, headers: { etag: `"${etag}"` } }
}

function parsePartNumber(request: S3Request): number {
  const number = request.parseInteger('partNumber', 0)
  if (number >= 1 && number <= MAX_PARTS_PER_UPLOAD) return number
  throw new S3Error(
    'InvalidArgument',
    `Part number must be an integer between 1 and ${MAX_PARTS_PER_UPLOAD}, inclusive`,
    {
      ArgumentName: 'partNumber',
      ArgumentValue: request.query('partNumber') ?? '',
    },
  )
}

export const completeMultipartUpload: Operation = async (call) => {
  const { request, store } = call
  const bucket = store.getBucket(request.bucket)
  const id = getUploadId(request)
  const listed = readPartList(await readXml(call, 'CompleteMultipartUpload'))
  const object = await bucket.uploads.runExclusive(id, async () => {
    const upload = await bucket.uploads.find(id, request.key)
    const completed = await assembleObject({ store, bucket, id, upload, listed })
    await store.discard(bucket.uploads.getPath(id))
    return completed
  })
  return {
    status: 200,
    body: buildDocument(
      'CompleteMultipartUploadResult',
      buildText('Location', `http://${request.header('host') ?? ''}/${bucket.name}/${encodeURIComponent(object.key)}`),
      buildText('Bucket', bucket.name),
      buildText('Key', object.key),
      buildText('ETag', `"${object.etag}"`),
    ),
  }
}

export const abortMultipartUpload: Operation = async ({ request, store }) => {
  const { uploads } = store.getBucket(request.bucket)
  const id = getUploadId(request)
  await uploads.runExclusive(id, async () => {
    await uploads.find(id, request.key)
    await store.discard(uploads.getPath(id))
  })
  return { status: 204 }
}

/** Returns all uploads in one page, unlike AWS, which returns at most 1,000. */
export const listMultipartUploads: Operation = async ({ request, store }) => {
  const prefix = request.query('prefix') ?? ''
  const uploads = await store.getBucket(request.bucket).uploads.list()
  return {
    status: 200,
    body: buildDocument(
      'ListMultipartUploadsResult',
      buildText('Bucket', request.bucket),
      buildText('Prefix', prefix),
      buildText('IsTruncated', false),
      ...uploads
        .filter(({ key }) => key.startsWith(prefix))
        .map(({ key, id, initiatedAt }) =>
          buildElement(
            'Upload',
            buildText('Key', key),
            buildText('UploadId', id),
            buildText('Initiated', new Date(initiatedAt).toISOString()),
          ),
        ),
    ),
  }
}
