/** Conditional requests: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-requests.html */
import type { ObjectMetadata, WriteGuard } from './bucket.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

interface Conditions {
  match: string | undefined
  noneMatch: string | undefined
  modifiedSince: string | undefined
  unmodifiedSince: string | undefined
}

export function evaluateRead(request: S3Request, object: ObjectMetadata): 'send' | 'not modified' {
  const conditions = readConditions(request, '')
  assertUnchanged(conditions, object)
  return isModified(conditions, object) ? 'send' : 'not modified'
}

export function assertCopySource(request: S3Request, source: ObjectMetadata): void {
  const conditions = readConditions(request, 'x-amz-copy-source-')
  assertUnchanged(conditions, source)
  if (!isModified(conditions, source)) throw createPreconditionError('x-amz-copy-source-If-None-Match')
}

export function createWriteGuard(request: S3Request): WriteGuard | undefined {
  const { match, noneMatch } = readConditions(request, '')
  if (noneMatch !== undefined && noneMatch !== '*') {
    throw new S3Error('NotImplemented', 'If-None-Match on a write is only implemented for *')
  }
  if (noneMatch !== undefined) return assertAbsent
  return match === undefined ? undefined : createMatchGuard(match, request.key)
}

export function createMatchGuard(match: string, key: string): WriteGuard {
  return (current) => {
    if (!current) throw new S3Error('NoSuchKey', undefined, { Key: key })
    if (!matchesEtag(match, current.etag)) throw createPreconditionError('If-Match')
  }
}

export const matchesEtag = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', '') === etag)

const assertAbsent: WriteGuard = (current) => {
  if (current) throw createPreconditionError('If-None-Match')
}

/** If-Match takes precedence, see RFC 9110 13.2.2. */
function assertUnchanged({ match, unmodifiedSince }: Conditions, object: ObjectMetadata): void {
  if (match !== undefined) {
    if (!matchesEtag(match, object.etag)) throw createPreconditionError('If-Match')
  } else if (unmodifiedSince !== undefined && object.lastModified > Date.parse(unmodifiedSince)) {
    throw createPreconditionError('If-Unmodified-Since')
  }
}

function isModified({ noneMatch, modifiedSince }: Conditions, object: ObjectMetadata): boolean {
  if (noneMatch !== undefined) return !matchesEtag(noneMatch, object.etag)
  return modifiedSince === undefined || !(object.lastModified <= Date.parse(modifiedSince))
}

const readConditions = (request: S3Request, prefix: string): Conditions => ({
  match: request.header(`${prefix}if-match`),
  noneMatch: request.header(`${prefix}if-none-match`),
  modifiedSince: request.header(`${prefix}if-modified-since`),
  unmodifiedSince: request.header(`${prefix}if-unmodified-since`),
})

const createPreconditionError = (condition: string) =>
  new S3Error('PreconditionFailed', undefined, { Condition: condition })
