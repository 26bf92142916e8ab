/**
 * The headers of an object: which of a request's are kept with it, and which a read answers.
 */
import type { ObjectMetadata } from './bucket.ts'
import { checksumHeaders } from './checksums.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

const CONTENT_HEADERS = ['cache-control', 'content-disposition', 'content-language', 'content-type', 'expires']
const META_PREFIX = 'x-amz-meta-'
const MAX_META_BYTES = 2048

/** Headers that would promise what is not kept: refused rather than ignored. */
const REFUSED_PREFIXES = [
  'x-amz-grant-',
  'x-amz-object-lock-',
  'x-amz-server-side-encryption-customer-',
  'x-amz-tagging',
  'x-amz-website-redirect-location',
  'x-amz-write-offset-bytes',
]
const ACCEPTED_ACLS = ['private', 'bucket-owner-full-control', 'bucket-owner-read']

/** A request's headers, or the fields of a form: values one character a byte. */
export interface HeaderSource {
  header(name: string): string | undefined
  headerNames(prefix: string): string[]
}

/**
 * The content headers and metadata to keep with an object.
 * @throws MetadataTooLarge above 2 KB, NotImplemented for headers that ask for more than is kept.
 */
export function storedHeaders(source: HeaderSource): Record<string, string> {
  assertImplemented(source)
  const metadata = source.headerNames(META_PREFIX)
  const kept: Record<string, string> = { 'content-type': 'binary/octet-stream' }
  for (const name of [...CONTENT_HEADERS, ...metadata]) {
    const value = source.header(name)
    if (value !== undefined) kept[name] = value
  }
  const encodings = (source.header('content-encoding') ?? '').split(',').map((encoding) => encoding.trim())
  const encoding = encodings.filter((name) => name !== '' && name !== 'aws-chunked').join(',')
  if (encoding) kept['content-encoding'] = encoding
  assertMetadataSize(metadata.map((name) => name.slice(META_PREFIX.length) + kept[name]))
  return kept
}

/** The headers a read of the whole object answers, the response-... parameters of the request in place of its own. */
export function responseHeaders(object: ObjectMetadata, request: S3Request): Record<string, string> {
  const headers: Record<string, string> = {
    ...object.headers,
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.lastModified).toUTCString(),
    'accept-ranges': 'bytes',
    'content-length': String(object.sizeBytes),
  }
  for (const name of [...CONTENT_HEADERS, 'content-encoding']) {
    const override = request.query(`response-${name}`)
    if (override !== undefined) headers[name] = headerBytes(name, override)
  }
  if (request.header('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED') {
    Object.assign(headers, checksumHeaders(object.checksum))
  }
  return headers
}

/** Text as header bytes: UTF-8, one character a byte. @throws InvalidArgument for control characters. */
export function headerBytes(name: string, value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are refused.
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) {
    throw new S3Error('InvalidArgument', 'Header value cannot be represented.', {
      ArgumentName: name,
      ArgumentValue: value,
    })
  }
  return Buffer.from(value).toString('latin1')
}

function assertImplemented(source: HeaderSource): void {
  for (const prefix of REFUSED_PREFIXES) {
    const [name] = source.headerNames(prefix)
    if (name) throw notImplemented(name)
  }
  const acl = source.header('x-amz-acl') ?? source.header('acl') ?? 'private'
  if (!ACCEPTED_ACLS.includes(acl)) throw notImplemented('x-amz-acl')
  const encryption = source.header('x-amz-server-side-encryption') ?? 'AES256'
  if (encryption !== 'AES256') throw notImplemented('x-amz-server-side-encryption')
}

const notImplemented = (header: string) =>
  new S3Error('NotImplemented', `The header ${header} implies functionality that is not implemented`, {
    Header: header,
  })

function assertMetadataSize(entries: string[]): void {
  const size = entries.reduce((sum, entry) => sum + entry.length, 0)
  if (size <= MAX_META_BYTES) return
  throw new S3Error('MetadataTooLarge', undefined, { Size: String(size), MaxSizeAllowed: String(MAX_META_BYTES) })
}
