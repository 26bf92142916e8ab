/**
 * ListObjectsV2: a page of a bucket's keys as XML.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 */
import { ACCOUNT_ID } from '../service.ts'
import { S3Error } from './errors.ts'
import type { ListedObject, PageRequest } from './key-index.ts'
import type { Operation } from './operation.ts'
import type { S3Request } from './request.ts'
import { document, element, text } from './xml.ts'

const MAX_PAGE_KEYS = 1000

export const listObjects: Operation = async ({ request, store }) => {
  if (request.query('list-type') !== '2') throw new S3Error('InvalidArgument', 'list-type must be 2')
  const maxKeys = Math.min(request.integer('max-keys', MAX_PAGE_KEYS), MAX_PAGE_KEYS)
  const [prefix, delimiter] = [request.query('prefix') ?? '', request.query('delimiter') ?? '']
  const page = await store.bucket(request.bucket).list({ prefix, delimiter, maxKeys, after: startOf(request) })
  const encode = keyEncoder(request)
  const owner = request.query('fetch-owner') === 'true' ? element('Owner', text('ID', ACCOUNT_ID)) : ''
  return {
    status: 200,
    body: document(
      'ListBucketResult',
      text('Name', request.bucket),
      text('Prefix', encode(prefix)),
      text('Delimiter', delimiter ? encode(delimiter) : undefined),
      text('StartAfter', optional(request.query('start-after'), encode)),
      text('ContinuationToken', request.query('continuation-token')),
      text('NextContinuationToken', page.next && writeToken(page.next)),
      text('KeyCount', page.objects.length + page.commonPrefixes.length),
      text('MaxKeys', maxKeys),
      text('EncodingType', request.query('encoding-type')),
      text('IsTruncated', page.next !== undefined),
      ...page.objects.map(([key, object]) => contents(encode(key), object, owner)),
      ...page.commonPrefixes.map((common) => element('CommonPrefixes', text('Prefix', encode(common)))),
    ),
  }
}

const contents = (key: string, object: ListedObject, owner: string): string =>
  element(
    'Contents',
    text('Key', key),
    text('LastModified', new Date(object.lastModified).toISOString()),
    text('ETag', `"${object.etag}"`),
    text('Size', object.sizeBytes),
    owner,
    text('StorageClass', 'STANDARD'),
  )

/** How keys are written: as they are, or percent-encoded with `+` for a space, as form fields are. */
function keyEncoder(request: S3Request): (key: string) => string {
  const type = request.query('encoding-type')
  if (type === undefined) return (key) => key
  if (type !== 'url') throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request')
  return (key) => encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/')
}

/** A continuation token wins over start-after. */
function startOf(request: S3Request): PageRequest['after'] {
  const token = request.query('continuation-token')
  if (token !== undefined) return readToken(token)
  return optional(request.query('start-after'), (key) => ({ key }))
}

const writeToken = (start: NonNullable<PageRequest['after']>): string =>
  Buffer.from(JSON.stringify(start)).toString('base64url')

function readToken(token: string): PageRequest['after'] {
  try {
    const start: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (isStart(start)) return start
  } catch {
    // Not one of ours: refused below.
  }
  throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect', {
    ArgumentName: 'continuation-token',
  })
}

const isStart = (value: unknown): value is NonNullable<PageRequest['after']> =>
  typeof value === 'object' &&
  value !== null &&
  (('key' in value && typeof value.key === 'string') ||
    ('commonPrefix' in value && typeof value.commonPrefix === 'string'))

const optional = <Value, Result>(value: Value | undefined, map: (value: Value) => Result): Result | undefined =>
  value === undefined ? undefined : map(value)
