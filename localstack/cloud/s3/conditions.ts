/**
 * Conditional requests: If-Match, If-None-Match, If-Modified-Since and If-Unmodified-Since against an object.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-requests.html
 */
import type { ObjectMetadata, WriteGuard } from './bucket.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

interface Conditions {
  match: string | undefined
  noneMatch: string | undefined
  modifiedSince: string | undefined
  unmodifiedSince: string | undefined
}

/** Whether a read should answer the object or 304. @throws PreconditionFailed */
export function evaluateRead(request: S3Request, object: ObjectMetadata): 'send' | 'not modified' {
  const conditions = readConditions(request, '')
  assertUnchanged(conditions, object)
  return isModified(conditions, object) ? 'send' : 'not modified'
}

/** The x-amz-copy-source-if- conditions on the object copied from. @throws PreconditionFailed */
export function assertCopySource(request: S3Request, source: ObjectMetadata): void {
  const conditions = readConditions(request, 'x-amz-copy-source-')
  assertUnchanged(conditions, source)
  if (!isModified(conditions, source)) throw failed('x-amz-copy-source-If-None-Match')
}

/** What must hold of the object a write replaces, checked in the moment of replacing; undefined when nothing must. */
export function writeGuard(request: S3Request): WriteGuard | undefined {
  const { match, noneMatch } = readConditions(request, '')
  if (noneMatch !== undefined && noneMatch !== '*') {
    throw new S3Error('NotImplemented', 'If-None-Match on a write is implemented for * only')
  }
  if (noneMatch !== undefined) return assertAbsent
  return match === undefined ? undefined : matchGuard(match, request.key)
}

/** Refuses to write over, or remove, anything but the object with this entity tag. */
export function matchGuard(match: string, key: string): WriteGuard {
  return (current) => {
    if (!current) throw new S3Error('NoSuchKey', undefined, { Key: key })
    if (!matches(match, current.etag)) throw failed('If-Match')
  }
}

/** True when a header that lists entity tags, or is `*`, names this one. */
export const matches = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', '') === etag)

const assertAbsent: WriteGuard = (current) => {
  if (current) throw failed('If-None-Match')
}

/** If-Match decides alone when it is there, as RFC 9110 13.2.2 says. */
function assertUnchanged({ match, unmodifiedSince }: Conditions, object: ObjectMetadata): void {
  if (match !== undefined) {
    if (!matches(match, object.etag)) throw failed('If-Match')
  } else if (unmodifiedSince !== undefined && object.lastModified > Date.parse(unmodifiedSince)) {
    throw failed('If-Unmodified-Since')
  }
}

/** If-None-Match decides alone when it is there. */
function isModified({ noneMatch, modifiedSince }: Conditions, object: ObjectMetadata): boolean {
  if (noneMatch !== undefined) return !matches(noneMatch, object.etag)
  return modifiedSince === undefined || !(object.lastModified <= Date.parse(modifiedSince))
}

const readConditions = (request: S3Request, prefix: string): Conditions => ({
  match: request.header(`${prefix}if-match`),
  noneMatch: request.header(`${prefix}if-none-match`),
  modifiedSince: request.header(`${prefix}if-modified-since`),
  unmodifiedSince: request.header(`${prefix}if-unmodified-since`),
})

const failed = (condition: string) => new S3Error('PreconditionFailed', undefined, { Condition: condition })
