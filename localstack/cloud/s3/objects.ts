/** Operations on one object, and DeleteObjects: put, get, head, copy, delete. */
import type { OpenBlob } from './blob.ts'
import { getBodyChecksum, openBody } from './body.ts'
import type { ObjectMetadata } from './bucket.ts'
import { buildChecksumHeaders, Digest, getChecksumElement, parseAlgorithm } from './checksums.ts'
import { assertCopySource, createMatchGuard, createWriteGuard, evaluateRead, matchesEtag } from './conditions.ts'
import { S3Error } from './errors.ts'
import { buildResponseHeaders, readStoredHeaders } from './object-headers.ts'
import { type Call, type Operation, type Reply, readXml } from './operation.ts'
import { parseRange } from './ranges.ts'
import type { S3Request } from './request.ts'
import { buildDocument, buildElement, buildText, childElements, childText } from './xml.ts'

const MAX_KEYS_PER_DELETE = 1000

export const putObject: Operation = async ({ request, authentication, store, onObjectCreated }) => {
  const bucket = store.getBucket(request.bucket)
  const headers = readStoredHeaders(request)
  const guard = createWriteGuard(request)
  guard?.(await bucket.find(request.key))
  const body = openBody(request, authentication)
  const object = await store.writeTemporary(body.pieces, undefined, (writer) => {
    const { md5: etag, sizeBytes } = body.digest
    return bucket.commit(writer, { key: request.key, sizeBytes, etag, headers, checksum: getBodyChecksum(body) }, guard)
  })
  onObjectCreated(bucket.name, object.key, object.sizeBytes)
  return { status: 200, headers: { etag: `"${object.etag}"`, ...buildChecksumHeaders(object.checksum) } }
}

export const getObject: Operation = async ({ request, store }) => {
  const blob = await store.getBucket(request.bucket).open(request.key)
  try {
    const reply = buildReadReply(request, blob)
    if (request.method === 'HEAD' || reply.status === 304) await blob.close()
    return reply
  } catch (error) {
    await blob.close()
    throw error
  }
}

function buildReadReply(request: S3Request, blob: OpenBlob<ObjectMetadata>): Reply {
  const object = blob.metadata
  const headers = buildResponseHeaders(object, request)
  if (evaluateRead(request, object) === 'not modified') return { status: 304, headers: omitBodyHeaders(headers) }
  const range = parseRange(getRangeHeader(request, object), object.sizeBytes)
  const { start, end } = range ?? { start: 0, end: object.sizeBytes - 1 }
  const body = request.method === 'HEAD' ? undefined : blob.read(start, end)
  if (!range) return { status: 200, headers, body }
  const rangeHeaders = {
    'content-range': `bytes ${start}-${end}/${object.sizeBytes}`,
    'content-length': String(end - start + 1),
  }
  return { status: 206, headers: { ...omitChecksumHeaders(headers), ...rangeHeaders }, body }
}

function getRangeHeader(request: S3Request, object: ObjectMetadata): string | undefined {
  const condition = request.header('if-range')
  return condition === undefined || matchesEtag(condition, object.etag) ? request.header('range') : undefined
}

const omitBodyHeaders = ({ 'content-length': _, ...headers }: Record<string, string>) => omitChecksumHeaders(headers)

/** The checksum of the whole object does not apply to a part of it. */
const omitChecksumHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-amz-checksum-')))

export const copyObject: Operation = async ({ request, store, onObjectCreated }) => {
  const bucket = store.getBucket(request.bucket)
  const guard = createWriteGuard(request)
  const replaces = replacesMetadata(request)
  const { blob, isSame } = await openCopySource(request, store)
  try {
    if (isSame && !replaces) throw createSelfCopyError()
    const headers = replaces ? readStoredHeaders(request) : blob.metadata.headers
    const requestedAlgorithm = request.header('x-amz-checksum-algorithm')
    const algorithm = requestedAlgorithm ? parseAlgorithm(requestedAlgorithm) : blob.metadata.checksum?.algorithm
    const digest = new Digest(algorithm ? ['md5', algorithm] : ['md5'])
    const object = await store.writeTemporary(readPieces(blob), digest, (writer) => {
      const checksum = algorithm && digest.checksum(algorithm)
      return bucket.commit(
        writer,
        { key: request.key, sizeBytes: digest.sizeBytes, etag: digest.md5, headers, checksum },
        guard,
      )
    })
    onObjectCreated(bucket.name, object.key, object.sizeBytes)
    return { status: 200, body: buildCopyResult('CopyObjectResult', object) }
  } finally {
    await blob.close()
  }
}

export const buildCopyResult = (
  root: string,
  copy: Pick<ObjectMetadata, 'etag' | 'lastModified' | 'checksum'>,
): string =>
  buildDocument(
    root,
    buildText('ETag', `"${copy.etag}"`),
    buildText('LastModified', new Date(copy.lastModified).toISOString()),
    copy.checksum ? buildText(getChecksumElement(copy.checksum.algorithm), copy.checksum.value) : '',
  )

/** Checks the x-amz-copy-source conditions. The caller must close the blob. */
export async function openCopySource(request: S3Request, store: Call['store']) {
  const { bucket, key } = parseCopySource(request.header('x-amz-copy-source') ?? '')
  const blob = await store.getBucket(bucket).open(key)
  try {
    assertCopySource(request, blob.metadata)
  } catch (error) {
    await blob.close()
    throw error
  }
  return { blob, isSame: bucket === request.bucket && key === request.key }
}

export async function* readPieces(
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

const createSelfCopyError = () =>
  new S3Error(
    'InvalidRequest',
    "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, " +
      'storage class, website redirect location or encryption attributes.',
  )

export const deleteObject: Operation = async ({ request, store }) => {
  const match = request.header('if-match')
  await store
    .getBucket(request.bucket)
    .delete(request.key, match === undefined ? undefined : createMatchGuard(match, request.key))
  return { status: 204 }
}

export const deleteObjects: Operation = async (call) => {
  const bucket = call.store.getBucket(call.request.bucket)
  const { xml } = await readXml(call, 'Delete')
  const objects = childElements(xml, 'Object')
  if (objects.length === 0 || objects.length > MAX_KEYS_PER_DELETE) throw new S3Error('MalformedXML')
  const isQuiet = childText(xml, 'Quiet')?.trim() === 'true'
  const results: string[] = []
  for (const object of objects) {
    const key = childText(object, 'Key')
    if (!key) throw new S3Error('MalformedXML')
    const match = childText(object, 'ETag')
    try {
      assertUnversioned(childText(object, 'VersionId'))
      await bucket.delete(key, match === undefined ? undefined : createMatchGuard(match, key))
      if (!isQuiet) results.push(buildElement('Deleted', buildText('Key', key)))
    } catch (error) {
      if (!(error instanceof S3Error)) throw error
      results.push(
        buildElement(
          'Error',
          buildText('Key', key),
          buildText('Code', error.code),
          buildText('Message', error.message),
        ),
      )
    }
  }
  return { status: 200, body: buildDocument('DeleteResult', ...results) }
}

export function assertUnversioned(version: string | undefined): void {
  if (version !== undefined && version !== 'null')
    throw new S3Error('NotImplemented', 'Object versions are not implemented')
}
