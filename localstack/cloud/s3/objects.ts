/**
 * Operations on one object, and DeleteObjects: put, get, head, copy, delete.
 */
import type { OpenBlob } from './blob.ts'
import { bodyChecksum, openBody } from './body.ts'
import type { ObjectMetadata } from './bucket.ts'
import { checksumElement, checksumHeaders, Digest, parseAlgorithm } from './checksums.ts'
import { assertCopySource, evaluateRead, matches, matchGuard, writeGuard } from './conditions.ts'
import { S3Error } from './errors.ts'
import { responseHeaders, storedHeaders } from './object-headers.ts'
import { type Call, type Operation, type Reply, readXml } from './operation.ts'
import { parseRange } from './ranges.ts'
import type { S3Request } from './request.ts'
import { childElements, childText, document, element, text } from './xml.ts'

const MAX_DELETED_KEYS = 1000

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
export const putObject: Operation = async ({ request, authentication, store, onObjectCreated }) => {
  const bucket = store.bucket(request.bucket)
  const headers = storedHeaders(request)
  const guard = writeGuard(request)
  guard?.(await bucket.find(request.key))
  const body = openBody(request, authentication)
  const object = await store.receive(body.pieces, undefined, (writer) => {
    const { md5: etag, sizeBytes } = body.digest
    return bucket.commit(writer, { key: request.key, sizeBytes, etag, headers, checksum: bodyChecksum(body) }, guard)
  })
  onObjectCreated(bucket.name, object.key, object.sizeBytes)
  return { status: 200, headers: { etag: `"${object.etag}"`, ...checksumHeaders(object.checksum) } }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html and HeadObject */
export const getObject: Operation = async ({ request, store }) => {
  const blob = await store.bucket(request.bucket).open(request.key)
  try {
    const reply = readReply(request, blob)
    if (request.method === 'HEAD' || reply.status === 304) await blob.close()
    return reply
  } catch (error) {
    await blob.close()
    throw error
  }
}

function readReply(request: S3Request, blob: OpenBlob<ObjectMetadata>): Reply {
  const object = blob.metadata
  const headers = responseHeaders(object, request)
  if (evaluateRead(request, object) === 'not modified') return { status: 304, headers: withoutBody(headers) }
  const range = parseRange(rangeHeader(request, object), object.sizeBytes)
  const { start, end } = range ?? { start: 0, end: object.sizeBytes - 1 }
  const body = request.method === 'HEAD' ? undefined : blob.read(start, end)
  if (!range) return { status: 200, headers, body }
  const rangeHeaders = {
    'content-range': `bytes ${start}-${end}/${object.sizeBytes}`,
    'content-length': String(end - start + 1),
  }
  return { status: 206, headers: { ...withoutChecksum(headers), ...rangeHeaders }, body }
}

/** If-Range asks for the range only while the object is still the same. */
function rangeHeader(request: S3Request, object: ObjectMetadata): string | undefined {
  const condition = request.header('if-range')
  return condition === undefined || matches(condition, object.etag) ? request.header('range') : undefined
}

const withoutBody = ({ 'content-length': _, ...headers }: Record<string, string>) => withoutChecksum(headers)

/** The checksum of the whole object says nothing of a part of it. */
const withoutChecksum = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-amz-checksum-')))

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
export const copyObject: Operation = async ({ request, store, onObjectCreated }) => {
  const bucket = store.bucket(request.bucket)
  const guard = writeGuard(request)
  const replaces = replacesMetadata(request)
  const { blob, isSame } = await openCopySource(request, store)
  try {
    if (isSame && !replaces) throw illegalSelfCopy()
    const headers = replaces ? storedHeaders(request) : blob.metadata.headers
    const named = request.header('x-amz-checksum-algorithm')
    const algorithm = named ? parseAlgorithm(named) : blob.metadata.checksum?.algorithm
    const digest = new Digest(algorithm ? ['md5', algorithm] : ['md5'])
    const object = await store.receive(piecesOf(blob), digest, (writer) => {
      const checksum = algorithm && digest.checksum(algorithm)
      return bucket.commit(
        writer,
        { key: request.key, sizeBytes: digest.sizeBytes, etag: digest.md5, headers, checksum },
        guard,
      )
    })
    onObjectCreated(bucket.name, object.key, object.sizeBytes)
    return { status: 200, body: copyResult('CopyObjectResult', object) }
  } finally {
    await blob.close()
  }
}

/** The answer to a copy of an object or of a part. */
export const copyResult = (root: string, copied: Pick<ObjectMetadata, 'etag' | 'lastModified' | 'checksum'>): string =>
  document(
    root,
    text('ETag', `"${copied.etag}"`),
    text('LastModified', new Date(copied.lastModified).toISOString()),
    copied.checksum ? text(checksumElement(copied.checksum.algorithm), copied.checksum.value) : '',
  )

/** Opens the object named by x-amz-copy-source, its conditions checked: the caller must close it. */
export async function openCopySource(request: S3Request, store: Call['store']) {
  const { bucket, key } = parseCopySource(request.header('x-amz-copy-source') ?? '')
  const blob = await store.bucket(bucket).open(key)
  try {
    assertCopySource(request, blob.metadata)
  } catch (error) {
    await blob.close()
    throw error
  }
  return { blob, isSame: bucket === request.bucket && key === request.key }
}

/** The data of an open blob, or a range of it, piece by piece. */
export async function* piecesOf(
  blob: OpenBlob<{ sizeBytes: number }>,
  { start, end } = { start: 0, end: blob.metadata.sizeBytes - 1 },
): AsyncGenerator<Buffer> {
  const data = blob.read(start, end)
  if (Buffer.isBuffer(data)) yield data
  else yield* data
}

function parseCopySource(header: string): { bucket: string; key: string } {
  const [path, version] = header.split('?versionId=')
  if (version !== undefined && version !== 'null')
    throw new S3Error('NotImplemented', 'Object versions are not implemented')
  const [, bucket, key] = /^\/?([^/]+)\/(.+)$/s.exec(decodeSource(path ?? '')) ?? []
  if (bucket && key) return { bucket, key }
  throw new S3Error('InvalidArgument', 'Copy Source must mention the source bucket and key: sourcebucket/sourcekey', {
    ArgumentName: 'x-amz-copy-source',
    ArgumentValue: header,
  })
}

function decodeSource(path: string): string {
  try {
    return decodeURIComponent(Buffer.from(path, 'latin1').toString())
  } catch {
    throw new S3Error('InvalidURI')
  }
}

function replacesMetadata(request: S3Request): boolean {
  const directive = request.header('x-amz-metadata-directive') ?? 'COPY'
  if (directive === 'COPY' || directive === 'REPLACE') return directive === 'REPLACE'
  throw new S3Error('InvalidArgument', 'Unknown metadata directive.', {
    ArgumentName: 'x-amz-metadata-directive',
    ArgumentValue: directive,
  })
}

const illegalSelfCopy = () =>
  new S3Error(
    'InvalidRequest',
    "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, " +
      'storage class, website redirect location or encryption attributes.',
  )

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html */
export const deleteObject: Operation = async ({ request, store }) => {
  const match = request.header('if-match')
  await store
    .bucket(request.bucket)
    .delete(request.key, match === undefined ? undefined : matchGuard(match, request.key))
  return { status: 204 }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
export const deleteObjects: Operation = async (call) => {
  const bucket = call.store.bucket(call.request.bucket)
  const { xml } = await readXml(call, 'Delete')
  const objects = childElements(xml, 'Object')
  if (objects.length === 0 || objects.length > MAX_DELETED_KEYS) throw new S3Error('MalformedXML')
  const isQuiet = childText(xml, 'Quiet')?.trim() === 'true'
  const results: string[] = []
  for (const object of objects) {
    const key = childText(object, 'Key')
    if (!key) throw new S3Error('MalformedXML')
    const match = childText(object, 'ETag')
    try {
      assertUnversioned(childText(object, 'VersionId'))
      await bucket.delete(key, match === undefined ? undefined : matchGuard(match, key))
      if (!isQuiet) results.push(element('Deleted', text('Key', key)))
    } catch (error) {
      if (!(error instanceof S3Error)) throw error
      results.push(element('Error', text('Key', key), text('Code', error.code), text('Message', error.message)))
    }
  }
  return { status: 200, body: document('DeleteResult', ...results) }
}

/** @throws NotImplemented for any version but `null`, the one every object has. */
export function assertUnversioned(version: string | undefined): void {
  if (version !== undefined && version !== 'null')
    throw new S3Error('NotImplemented', 'Object versions are not implemented')
}
