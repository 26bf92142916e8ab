/** Conditional reads: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-requests.html */
import type { ObjectMetadata } from './bucket.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

export function evaluateRead(request: S3Request, object: ObjectMetadata): 'send' | 'not modified' {
  assertUnchanged(request, object)
  return isModified(request, object) ? 'send' : 'not modified'
}

export const matchesEtag = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', '') === etag)

/** Rejected, because a write that ignores its condition loses data. */
export function assertUnconditional(request: S3Request): void {
  const [condition] = [...request.headerNames('if-'), ...request.headerNames('x-amz-copy-source-if-')]
  if (condition && request.method !== 'GET' && request.method !== 'HEAD')
    throw new S3Error('NotImplemented', `The condition ${condition} is not implemented for ${request.method}`)
}

/** If-Match takes precedence, see RFC 9110 13.2.2. */
function assertUnchanged(request: S3Request, object: ObjectMetadata): void {
  const match = request.header('if-match')
  const unmodifiedSince = request.header('if-unmodified-since')
  if (match !== undefined) {
    if (!matchesEtag(match, object.etag)) throw createPreconditionError('If-Match')
  } else if (unmodifiedSince !== undefined && object.lastModified > Date.parse(unmodifiedSince)) {
    throw createPreconditionError('If-Unmodified-Since')
  }
}

function isModified(request: S3Request, object: ObjectMetadata): boolean {
  const noneMatch = request.header('if-none-match')
  const modifiedSince = request.header('if-modified-since')
  if (noneMatch !== undefined) return !matchesEtag(noneMatch, object.etag)
  return modifiedSince === undefined || !(object.lastModified <= Date.parse(modifiedSince))
}

const createPreconditionError = (condition: string) =>
  new S3Error('PreconditionFailed', undefined, { Condition: condition })
