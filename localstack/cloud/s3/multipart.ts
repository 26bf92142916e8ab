/**
 * Multipart upload operations: create, upload and copy parts, complete, abort, list.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 */
import { bodyChecksum, openBody } from './body.ts'
import type { Bucket } from './bucket.ts'
import {
  type Checksum,
  type ChecksumType,
  checksumElement,
  checksumHeaders,
  Digest,
  parseAlgorithm,
} from './checksums.ts'
import { assemble, readPartList } from './complete-multipart.ts'
import { writeGuard } from './conditions.ts'
import { S3Error } from './errors.ts'
import { storedHeaders } from './object-headers.ts'
import { copyResult, openCopySource, piecesOf } from './objects.ts'
import { type Operation, readXml } from './operation.ts'
import { parseRange } from './ranges.ts'
import type { S3Request } from './request.ts'
import type { Part, Upload } from './uploads.ts'
import { document, element, text } from './xml.ts'

const MAX_PARTS = 10_000
const MAX_PAGE = 1000

const uploadIdOf = (request: S3Request): string => request.query('uploadId') ?? ''

export const createMultipartUpload: Operation = async ({ request, store }) => {
  const bucket = store.bucket(request.bucket)
  const upload: Upload = {
    key: request.key,
    initiatedAt: Date.now(),
    headers: storedHeaders(request),
    checksum: announcedChecksum(request),
  }
  const id = await bucket.uploads.create(upload, store.temporaryPath())
  return {
    status: 200,
    headers: announcedHeaders(upload.checksum),
    body: document(
      'InitiateMultipartUploadResult',
      text('Bucket', bucket.name),
      text('Key', upload.key),
      text('UploadId', id),
    ),
  }
}

/** Composite unless asked otherwise; only the CRCs can cover the whole object. */
function announcedChecksum(request: S3Request): Upload['checksum'] {
  const name = request.header('x-amz-checksum-algorithm')
  const type = request.header('x-amz-checksum-type') ?? 'COMPOSITE'
  if (!name) return undefined
  const algorithm = parseAlgorithm(name)
  if (!isChecksumType(type)) throw new S3Error('InvalidRequest', 'Value for x-amz-checksum-type header is invalid.')
  if (type === 'FULL_OBJECT' && !algorithm.startsWith('crc')) {
    throw new S3Error(
      'InvalidRequest',
      `The FULL_OBJECT checksum type cannot be used with the ${algorithm} checksum algorithm.`,
    )
  }
  return { algorithm, type }
}

const announcedHeaders = (checksum: Upload['checksum']): Record<string, string> =>
  checksum ? { 'x-amz-checksum-algorithm': checksum.algorithm.toUpperCase(), 'x-amz-checksum-type': checksum.type } : {}

const isChecksumType = (type: string): type is ChecksumType => type === 'COMPOSITE' || type === 'FULL_OBJECT'

export const uploadPart: Operation = async ({ request, authentication, store }) => {
  const bucket = store.bucket(request.bucket)
  const id = uploadIdOf(request)
  const number = partNumber(request)
  const upload = await bucket.uploads.find(id, request.key)
  const body = openBody(request, authentication)
  assertSameAlgorithm(upload, body.claimed?.algorithm)
  const part = await store.receive(body.pieces, undefined, async (writer) => {
    const stored = newPart(number, body.digest, bodyChecksum(body))
    await bucket.uploads.putPart(id, writer, stored)
    return stored
  })
  return { status: 200, headers: { etag: `"${part.etag}"`, ...checksumHeaders(part.checksum) } }
}

export const uploadPartCopy: Operation = async ({ request, store }) => {
  const bucket = store.bucket(request.bucket)
  const id = uploadIdOf(request)
  const number = partNumber(request)
  const algorithm = (await bucket.uploads.find(id, request.key)).checksum?.algorithm
  const { blob } = await openCopySource(request, store)
  try {
    const digest = new Digest(algorithm ? ['md5', algorithm] : ['md5'])
    const range = parseRange(request.header('x-amz-copy-source-range'), blob.sizeBytes)
    const part = await store.receive(piecesOf(blob, range), digest, async (writer) => {
      const stored = newPart(number, digest, algorithm && digest.checksum(algorithm))
      await bucket.uploads.putPart(id, writer, stored)
      return stored
    })
    return { status: 200, body: copyResult('CopyPartResult', part) }
  } finally {
    await blob.close()
  }
}

const newPart = (number: number, digest: Digest, checksum: Checksum | undefined): Part => ({
  number,
  sizeBytes: digest.sizeBytes,
  etag: digest.md5,
  lastModified: Math.floor(Date.now() / 1000) * 1000,
  checksum,
})

function partNumber(request: S3Request): number {
  const number = request.integer('partNumber', 0)
  if (number >= 1 && number <= MAX_PARTS) return number
  throw new S3Error('InvalidArgument', `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`, {
    ArgumentName: 'partNumber',
    ArgumentValue: request.query('partNumber') ?? '',
  })
}

/** Parts carry the checksum their upload announced; an upload that announced none takes any. */
function assertSameAlgorithm(upload: Upload, claimed: string | undefined): void {
  const announced = upload.checksum?.algorithm
  if (!announced || announced === claimed) return
  throw new S3Error(
    'InvalidRequest',
    `Checksum Type mismatch occurred, expected checksum Type: ${announced}, actual checksum Type: ${claimed ?? 'null'}`,
  )
}

export const completeMultipartUpload: Operation = async (call) => {
  const { request, store } = call
  const bucket = store.bucket(request.bucket)
  const id = uploadIdOf(request)
  const guard = writeGuard(request)
  const listed = readPartList((await readXml(call, 'CompleteMultipartUpload', 'object')).xml)
  const object = await bucket.uploads.exclusively(id, async () => {
    const upload = await bucket.uploads.find(id, request.key)
    guard?.(await bucket.find(request.key))
    const completed = await assemble({ store, bucket, id, upload, listed, request, guard })
    await store.discard(bucket.uploads.pathOf(id))
    return completed
  })
  call.onObjectCreated(bucket.name, object.key, object.sizeBytes)
  return {
    status: 200,
    body: document(
      'CompleteMultipartUploadResult',
      text('Location', `http://${request.header('host') ?? ''}/${bucket.name}/${encodeURIComponent(object.key)}`),
      text('Bucket', bucket.name),
      text('Key', object.key),
      text('ETag', `"${object.etag}"`),
      ...checksumElements(object.checksum),
    ),
  }
}

export const abortMultipartUpload: Operation = async ({ request, store }) => {
  const { uploads } = store.bucket(request.bucket)
  const id = uploadIdOf(request)
  await uploads.exclusively(id, async () => {
    await uploads.find(id, request.key)
    await store.discard(uploads.pathOf(id))
  })
  return { status: 204 }
}

export const listParts: Operation = async ({ request, store }) => {
  const { uploads } = store.bucket(request.bucket)
  const id = uploadIdOf(request)
  const upload = await uploads.find(id, request.key)
  const after = request.integer('part-number-marker', 0)
  const maxParts = Math.min(request.integer('max-parts', MAX_PAGE), MAX_PAGE)
  const rest = (await uploads.parts(id)).filter((part) => part.number > after)
  const page = rest.slice(0, maxParts)
  return {
    status: 200,
    body: document(
      'ListPartsResult',
      text('Bucket', request.bucket),
      text('Key', request.key),
      text('UploadId', id),
      text('PartNumberMarker', after),
      text('NextPartNumberMarker', page.at(-1)?.number),
      text('MaxParts', maxParts),
      text('IsTruncated', rest.length > page.length),
      text('ChecksumAlgorithm', upload.checksum?.algorithm.toUpperCase()),
      text('ChecksumType', upload.checksum?.type),
      ...page.map(partElement),
      text('StorageClass', 'STANDARD'),
    ),
  }
}

const partElement = (part: Part): string =>
  element(
    'Part',
    text('PartNumber', part.number),
    text('LastModified', new Date(part.lastModified).toISOString()),
    text('ETag', `"${part.etag}"`),
    text('Size', part.sizeBytes),
    part.checksum ? text(checksumElement(part.checksum.algorithm), part.checksum.value) : '',
  )

const checksumElements = (checksum: Checksum | undefined): string[] =>
  checksum ? [text(checksumElement(checksum.algorithm), checksum.value), text('ChecksumType', checksum.type)] : []

export const listMultipartUploads: Operation = async ({ request, store }) => {
  if (request.query('delimiter'))
    throw new S3Error('NotImplemented', 'ListMultipartUploads with a delimiter is not implemented')
  const maxUploads = Math.min(request.integer('max-uploads', MAX_PAGE), MAX_PAGE)
  const rest = await uploadsAfterMarkers(request, store.bucket(request.bucket))
  const page = rest.slice(0, maxUploads)
  const isTruncated = rest.length > page.length
  return {
    status: 200,
    body: document(
      'ListMultipartUploadsResult',
      text('Bucket', request.bucket),
      text('Prefix', request.query('prefix') ?? ''),
      text('KeyMarker', request.query('key-marker') ?? ''),
      text('NextKeyMarker', isTruncated ? page.at(-1)?.key : undefined),
      text('NextUploadIdMarker', isTruncated ? page.at(-1)?.id : undefined),
      text('MaxUploads', maxUploads),
      text('IsTruncated', isTruncated),
      ...page.map(({ key, id, initiatedAt }) =>
        element(
          'Upload',
          text('Key', key),
          text('UploadId', id),
          text('Initiated', new Date(initiatedAt).toISOString()),
        ),
      ),
    ),
  }
}

/** The markers are the key and id of the last upload already listed; a key marker alone skips all of its key. */
async function uploadsAfterMarkers(request: S3Request, bucket: Bucket) {
  const [prefix, keyMarker, idMarker] = [
    request.query('prefix') ?? '',
    request.query('key-marker'),
    request.query('upload-id-marker'),
  ]
  const uploads = await bucket.uploads.list()
  if (!keyMarker) return uploads.filter(({ key }) => key.startsWith(prefix))
  const last = uploads.findLastIndex(({ key, id }) => key === keyMarker && (!idMarker || id === idMarker))
  return uploads.slice(last + 1).filter(({ key }) => key.startsWith(prefix))
}
