import type { ObjectMetadata } from './bucket.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

const CONTENT_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
]
const META_PREFIX = 'x-amz-meta-'
const MAX_META_BYTES = 2048

const UNSUPPORTED_PREFIXES = [
  'x-amz-grant-',
  'x-amz-object-lock-',
  'x-amz-server-side-encryption-customer-',
  'x-amz-tagging',
  'x-amz-website-redirect-location',
  'x-amz-write-offset-bytes',
]
const ACCEPTED_ACLS = ['private', 'bucket-owner-full-control', 'bucket-owner-read']

export function readStoredHeaders(request: S3Request): Record<string, string> {
  assertImplemented(request)
  const metadata = request.headerNames(META_PREFIX)
  const stored: Record<string, string> = { 'content-type': 'binary/octet-stream' }
  for (const name of [...CONTENT_HEADERS, ...metadata]) {
    const value = request.header(name)
    if (value !== undefined) stored[name] = value
  }
  assertMetadataSize(metadata.map((name) => name.slice(META_PREFIX.length) + stored[name]))
  return stored
}

export function buildResponseHeaders(object: ObjectMetadata, request: S3Request): Record<string, string> {
  const headers: Record<string, string> = {
    ...object.headers,
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.lastModified).toUTCString(),
    'accept-ranges': 'bytes',
    'content-length': String(object.sizeBytes),
  }
  for (const name of CONTENT_HEADERS) {
    const override = request.query(`response-${name}`)
    if (override !== undefined) headers[name] = encodeHeaderValue(name, override)
  }
  return headers
}

/** UTF-8 with one character per byte. @throws InvalidArgument for control characters */
function encodeHeaderValue(name: string, value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are refused.
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) {
    throw new S3Error('InvalidArgument', 'Header value cannot be represented.', {
      ArgumentName: name,
      ArgumentValue: value,
    })
  }
  return Buffer.from(value).toString('latin1')
}

function assertImplemented(request: S3Request): void {
  for (const prefix of UNSUPPORTED_PREFIXES) {
    const [name] = request.headerNames(prefix)
    if (name) throw createNotImplementedError(name)
  }
  const acl = request.header('x-amz-acl') ?? 'private'
  if (!ACCEPTED_ACLS.includes(acl)) throw createNotImplementedError('x-amz-acl')
  const encryption = request.header('x-amz-server-side-encryption') ?? 'AES256'
  if (encryption !== 'AES256') throw createNotImplementedError('x-amz-server-side-encryption')
}

const createNotImplementedError = (header: string) =>
  new S3Error('NotImplemented', `The header ${header} implies functionality that is not implemented`, {
    Header: header,
  })

function assertMetadataSize(entries: string[]): void {
  const size = entries.reduce((total, entry) => total + entry.length, 0)
  if (size <= MAX_META_BYTES) return
  throw new S3Error('MetadataTooLarge', undefined, { Size: String(size), MaxSizeAllowed: String(MAX_META_BYTES) })
}
