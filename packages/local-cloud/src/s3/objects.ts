import type { OpenBlob } from './blob.ts'
import { openBody } from './body.ts'
import type { ObjectMetadata } from './bucket.ts'
import { Digest } from './checksums.ts'
import { evaluateRead, matchesEtag } from './conditions.ts'
import { S3Error } from './errors.ts'
import { buildResponseHeaders, readStoredHeaders } from './object-headers.ts'
import { type Operation, type Reply, readXml } from './operation.ts'
import { parseRange } from './ranges.ts'
import type { S3Request } from './request.ts'
import { buildDocument, buildElement, buildText, childElements, childText } from './xml.ts'

const MAX_KEYS_PER_DELETE = 1000

export const putObject: Operation = async ({ request, payloadHash, store }) => {
  const bucket = store.getBucket(request.bucket)
  const headers = readStoredHeaders(request)
  const body = openBody(request, payloadHash)
  const object = await store.writeTemporary(body.pieces, undefined, (writer) => {
    const { md5: etag, sizeBytes } = body.digest
    return bucket.commit(writer, { key: request.key, sizeBytes, etag, headers })
  })
  return { status: 200, headers: { etag: `"${object.etag}"` } }
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
  return { status: 206, headers: { ...headers, ...rangeHeaders }, body }
}

function getRangeHeader(request: S3Request, object: ObjectMetadata): string | undefined {
  const condition = request.header('if-range')
  return condition === undefined || matchesEtag(condition, object.etag) ? request.header('range') : undefined
}

const omitBodyHeaders = ({ 'content-length': _, ...headers }: Record<string, string>) => headers

export const copyObject: Operation = async ({ request, store }) => {
  const bucket = store.getBucket(request.bucket)
  assertCopiesMetadata(request)
  const source = parseCopySource(request.header('x-amz-copy-source') ?? '')
  if (source.bucket === request.bucket && source.key === request.key) throw createSelfCopyError()
  const blob = await store.getBucket(source.bucket).open(source.key)
  try {
    const digest = new Digest()
    const { headers } = blob.metadata
    const object = await store.writeTemporary(blob.readPieces(), digest, (writer) =>
      bucket.commit(writer, { key: request.key, sizeBytes: digest.sizeBytes, etag: digest.md5, headers }),
    )
    return { status: 200, body: buildCopyResult(object) }
  } finally {
    await blob.close()
  }
}

const buildCopyResult = ({ etag, lastModified }: ObjectMetadata): string =>
  buildDocument(
    'CopyObjectResult',
    buildText('ETag', `"${etag}"`),
    buildText('LastModified', new Date(lastModified).toISOString()),
  )

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

function assertCopiesMetadata(request: S3Request): void {
  if ((request.header('x-amz-metadata-directive') ?? 'COPY') !== 'COPY')
    throw new S3Error('NotImplemented', 'Copies with new metadata are not implemented')
}

const createSelfCopyError = () =>
  new S3Error(
    'InvalidRequest',
    "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, " +
      'storage class, website redirect location or encryption attributes.',
  )

export const deleteObject: Operation = async ({ request, store }) => {
  await store.getBucket(request.bucket).delete(request.key)
  return { status: 204 }
}

export const deleteObjects: Operation = async (call) => {
  const bucket = call.store.getBucket(call.request.bucket)
  const xml = await readXml(call, 'Delete')
  const objects = childElements(xml, 'Object')
  if (objects.length === 0 || objects.length > MAX_KEYS_PER_DELETE) throw new S3Error('MalformedXML')
  const isQuiet = childText(xml, 'Quiet')?.trim() === 'true'
  const results: string[] = []
  for (const object of objects) {
    const key = childText(object, 'Key')
    if (!key) throw new S3Error('MalformedXML')
    try {
      assertUnversioned(childText(object, 'VersionId'))
      if (childText(object, 'ETag') !== undefined)
        throw new S3Error('NotImplemented', 'Conditional deletions are not implemented')
      await bucket.delete(key)
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
