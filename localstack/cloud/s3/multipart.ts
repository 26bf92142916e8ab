/** Multipart uploads: https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */
import { getBodyChecksum, openBody } from './body.ts'
import type { Bucket } from './bucket.ts'
import {
  buildChecksumHeaders,
  type Checksum,
  type ChecksumType,
  Digest,
  getChecksumElement,
  parseAlgorithm,
} from './checksums.ts'
import { assembleObject, readPartList } from './complete-multipart.ts'
import { createWriteGuard } from './conditions.ts'
import { S3Error } from './errors.ts'
import { readStoredHeaders } from './object-headers.ts'
import { buildCopyResult, openCopySource, readPieces } from './objects.ts'
import { type Operation, readXml } from './operation.ts'
import { parseRange } from './ranges.ts'
import type { S3Request } from './request.ts'
import type { Part, Upload } from './uploads.ts'
import { buildDocument, buildElement, buildText } from './xml.ts'

const MAX_PARTS_PER_UPLOAD = 10_000
const MAX_ITEMS_PER_PAGE = 1000

const getUploadId = (request: S3Request): string => request.query('uploadId') ?? ''

export const createMultipartUpload: Operation = async ({ request, store }) => {
  const bucket = store.getBucket(request.bucket)
  const upload: Upload = {
    key: request.key,
    initiatedAt: Date.now(),
    headers: readStoredHeaders(request),
    checksum: readAnnouncedChecksum(request),
  }
  const id = await bucket.uploads.create(upload, store.createTemporaryPath())
  return {
    status: 200,
    headers: buildAnnouncedHeaders(upload.checksum),
    body: buildDocument(
      'InitiateMultipartUploadResult',
      buildText('Bucket', bucket.name),
      buildText('Key', upload.key),
      buildText('UploadId', id),
    ),
  }
}

function readAnnouncedChecksum(request: S3Request): Upload['checksum'] {
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

const buildAnnouncedHeaders = (checksum: Upload['checksum']): Record<string, string> =>
  checksum ? { 'x-amz-checksum-algorithm': checksum.algorithm.toUpperCase(), 'x-amz-checksum-type': checksum.type } : {}

const isChecksumType = (type: string): type is ChecksumType => type === 'COMPOSITE' || type === 'FULL_OBJECT'

export const uploadPart: Operation = async ({ request, authentication, store }) => {
  const bucket = store.getBucket(request.bucket)
  const id = getUploadId(request)
  const number = parsePartNumber(request)
  const upload = await bucket.uploads.find(id, request.key)
  const body = openBody(request, authentication)
  assertSameAlgorithm(upload, body.claimed?.algorithm)
  const part = await store.writeTemporary(body.pieces, undefined, async (writer) => {
    const stored = createPart(number, body.digest, getBodyChecksum(body))
    await bucket.uploads.putPart(id, writer, stored)
    return stored
  })
  return { status: 200, headers: { etag: `"${part.etag}"`, ...buildChecksumHeaders(part.checksum) } }
}

export const uploadPartCopy: Operation = async ({ request, store }) => {
  const bucket = store.getBucket(request.bucket)
  const id = getUploadId(request)
  const number = parsePartNumber(request)
  const algorithm = (await bucket.uploads.find(id, request.key)).checksum?.algorithm
  const { blob } = await openCopySource(request, store)
  try {
    const digest = new Digest(algorithm ? ['md5', algorithm] : ['md5'])
    const range = parseRange(request.header('x-amz-copy-source-range'), blob.sizeBytes)
    const part = await store.writeTemporary(readPieces(blob, range), digest, async (writer) => {
      const stored = createPart(number, digest, algorithm && digest.checksum(algorithm))
      await bucket.uploads.putPart(id, writer, stored)
      return stored
    })
    return { status: 200, body: buildCopyResult('CopyPartResult', part) }
  } finally {
    await blob.close()
  }
}

const createPart = (number: number, digest: Digest, checksum: Checksum | undefined): Part => ({
  number,
  sizeBytes: digest.sizeBytes,
  etag: digest.md5,
  lastModified: Math.floor(Date.now() / 1000) * 1000,
  checksum,
})

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

function assertSameAlgorithm(upload: Upload, claimedAlgorithm: string | undefined): void {
  const announcedAlgorithm = upload.checksum?.algorithm
  if (!announcedAlgorithm || announcedAlgorithm === claimedAlgorithm) return
  throw new S3Error(
    'InvalidRequest',
    `Checksum Type mismatch occurred, expected checksum Type: ${announcedAlgorithm}, actual checksum Type: ${claimedAlgorithm ?? 'null'}`,
  )
}

export const completeMultipartUpload: Operation = async (call) => {
  const { request, store } = call
  const bucket = store.getBucket(request.bucket)
  const id = getUploadId(request)
  const guard = createWriteGuard(request)
  const listed = readPartList((await readXml(call, 'CompleteMultipartUpload', 'object')).xml)
  const object = await bucket.uploads.runExclusive(id, async () => {
    const upload = await bucket.uploads.find(id, request.key)
    guard?.(await bucket.find(request.key))
    const completed = await assembleObject({ store, bucket, id, upload, listed, request, guard })
    await store.discard(bucket.uploads.getPath(id))
    return completed
  })
  call.onObjectCreated(bucket.name, object.key, object.sizeBytes)
  return {
    status: 200,
    body: buildDocument(
      'CompleteMultipartUploadResult',
      buildText('Location', `http://${request.header('host') ?? ''}/${bucket.name}/${encodeURIComponent(object.key)}`),
      buildText('Bucket', bucket.name),
      buildText('Key', object.key),
      buildText('ETag', `"${object.etag}"`),
      ...buildChecksumElements(object.checksum),
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

export const listParts: Operation = async ({ request, store }) => {
  const { uploads } = store.getBucket(request.bucket)
  const id = getUploadId(request)
  const upload = await uploads.find(id, request.key)
  const after = request.parseInteger('part-number-marker', 0)
  const maxParts = Math.min(request.parseInteger('max-parts', MAX_ITEMS_PER_PAGE), MAX_ITEMS_PER_PAGE)
  const remaining = (await uploads.listParts(id)).filter((part) => part.number > after)
  const page = remaining.slice(0, maxParts)
  return {
    status: 200,
    body: buildDocument(
      'ListPartsResult',
      buildText('Bucket', request.bucket),
      buildText('Key', request.key),
      buildText('UploadId', id),
      buildText('PartNumberMarker', after),
      buildText('NextPartNumberMarker', page.at(-1)?.number),
      buildText('MaxParts', maxParts),
      buildText('IsTruncated', remaining.length > page.length),
      buildText('ChecksumAlgorithm', upload.checksum?.algorithm.toUpperCase()),
      buildText('ChecksumType', upload.checksum?.type),
      ...page.map(buildPartElement),
      buildText('StorageClass', 'STANDARD'),
    ),
  }
}

const buildPartElement = (part: Part): string =>
  buildElement(
    'Part',
    buildText('PartNumber', part.number),
    buildText('LastModified', new Date(part.lastModified).toISOString()),
    buildText('ETag', `"${part.etag}"`),
    buildText('Size', part.sizeBytes),
    part.checksum ? buildText(getChecksumElement(part.checksum.algorithm), part.checksum.value) : '',
  )

const buildChecksumElements = (checksum: Checksum | undefined): string[] =>
  checksum
    ? [buildText(getChecksumElement(checksum.algorithm), checksum.value), buildText('ChecksumType', checksum.type)]
    : []

export const listMultipartUploads: Operation = async ({ request, store }) => {
  if (request.query('delimiter'))
    throw new S3Error('NotImplemented', 'ListMultipartUploads with a delimiter is not implemented')
  const maxUploads = Math.min(request.parseInteger('max-uploads', MAX_ITEMS_PER_PAGE), MAX_ITEMS_PER_PAGE)
  const remaining = await listUploadsAfterMarkers(request, store.getBucket(request.bucket))
  const page = remaining.slice(0, maxUploads)
  const isTruncated = remaining.length > page.length
  return {
    status: 200,
    body: buildDocument(
      'ListMultipartUploadsResult',
      buildText('Bucket', request.bucket),
      buildText('Prefix', request.query('prefix') ?? ''),
      buildText('KeyMarker', request.query('key-marker') ?? ''),
      buildText('NextKeyMarker', isTruncated ? page.at(-1)?.key : undefined),
      buildText('NextUploadIdMarker', isTruncated ? page.at(-1)?.id : undefined),
      buildText('MaxUploads', maxUploads),
      buildText('IsTruncated', isTruncated),
      ...page.map(({ key, id, initiatedAt }) =>
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

/** The markers name the last listed upload; a key marker without an id skips all uploads of that key. */
async function listUploadsAfterMarkers(request: S3Request, bucket: Bucket) {
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
