/** ListObjectsV2: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
import { ACCOUNT_ID } from '../service.ts'
import { S3Error } from './errors.ts'
import type { ListedObject, PageRequest } from './key-index.ts'
import type { Operation } from './operation.ts'
import type { S3Request } from './request.ts'
import { buildDocument, buildElement, buildText } from './xml.ts'

const MAX_KEYS_PER_PAGE = 1000

export const listObjects: Operation = async ({ request, store }) => {
  if (request.query('list-type') !== '2') throw new S3Error('InvalidArgument', 'list-type must be 2')
  const maxKeys = Math.min(request.parseInteger('max-keys', MAX_KEYS_PER_PAGE), MAX_KEYS_PER_PAGE)
  const [prefix, delimiter] = [request.query('prefix') ?? '', request.query('delimiter') ?? '']
  const page = await store.getBucket(request.bucket).list({ prefix, delimiter, maxKeys, after: parseStart(request) })
  const encode = createKeyEncoder(request)
  const owner = request.query('fetch-owner') === 'true' ? buildElement('Owner', buildText('ID', ACCOUNT_ID)) : ''
  return {
    status: 200,
    body: buildDocument(
      'ListBucketResult',
      buildText('Name', request.bucket),
      buildText('Prefix', encode(prefix)),
      buildText('Delimiter', delimiter ? encode(delimiter) : undefined),
      buildText('StartAfter', mapOptional(request.query('start-after'), encode)),
      buildText('ContinuationToken', request.query('continuation-token')),
      buildText('NextContinuationToken', page.next && writeToken(page.next)),
      buildText('KeyCount', page.objects.length + page.commonPrefixes.length),
      buildText('MaxKeys', maxKeys),
      buildText('EncodingType', request.query('encoding-type')),
      buildText('IsTruncated', page.next !== undefined),
      ...page.objects.map(([key, object]) => buildContents(encode(key), object, owner)),
      ...page.commonPrefixes.map((commonPrefix) =>
        buildElement('CommonPrefixes', buildText('Prefix', encode(commonPrefix))),
      ),
    ),
  }
}

const buildContents = (key: string, object: ListedObject, owner: string): string =>
  buildElement(
    'Contents',
    buildText('Key', key),
    buildText('LastModified', new Date(object.lastModified).toISOString()),
    buildText('ETag', `"${object.etag}"`),
    buildText('Size', object.sizeBytes),
    owner,
    buildText('StorageClass', 'STANDARD'),
  )

function createKeyEncoder(request: S3Request): (key: string) => string {
  const type = request.query('encoding-type')
  if (type === undefined) return (key) => key
  if (type !== 'url') throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request')
  return (key) => encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/')
}

function parseStart(request: S3Request): PageRequest['after'] {
  const token = request.query('continuation-token')
  if (token !== undefined) return readToken(token)
  return mapOptional(request.query('start-after'), (key) => ({ key }))
}

const writeToken = (start: NonNullable<PageRequest['after']>): string =>
  Buffer.from(JSON.stringify(start)).toString('base64url')

function readToken(token: string): PageRequest['after'] {
  try {
    const start: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (isStart(start)) return start
  } catch {
    // Not our token: rejected below.
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

const mapOptional = <Value, Result>(value: Value | undefined, map: (value: Value) => Result): Result | undefined =>
  value === undefined ? undefined : map(value)
