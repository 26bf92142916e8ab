/** Browser uploads (multipart/form-data): https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { Credentials } from '../signature/signature.ts'
import type { ObjectMetadata } from './bucket.ts'
import { Digest } from './checksums.ts'
import { S3Error } from './errors.ts'
import { encodeHeaderValue, type HeaderSource, readStoredHeaders } from './object-headers.ts'
import type { ObjectCreated, Reply } from './operation.ts'
import { type FormFields, type SizeLimits, verifyForm } from './post-policy.ts'
import { assertKeyLength, type S3Request } from './request.ts'
import type { Store } from './store.ts'
import { buildDocument, buildText } from './xml.ts'

/** AWS reads at most 20 KB of form fields before the file. */
const MAX_FIELDS_BYTES = 20 * 1024

interface Form {
  fields: FormFields
  fileName: string
  file: Readable
}

export async function postObject(
  request: S3Request,
  credentials: Credentials,
  store: Store,
  onObjectCreated: ObjectCreated,
): Promise<Reply> {
  const bucket = store.getBucket(request.bucket)
  const object = await withForm(request, async ({ fields, fileName, file }) => {
    const limits = verifyForm(fields, bucket.name, credentials, Date.now())
    const key = buildObjectKey(fields, fileName)
    const headers = readStoredHeaders(toHeaderSource(fields))
    const digest = new Digest(['md5'])
    const stored = await store.writeTemporary(enforceLimits(file, limits), digest, (writer) =>
      bucket.commit(writer, { key, headers, sizeBytes: digest.sizeBytes, etag: digest.md5 }),
    )
    return { stored, fields }
  })
  onObjectCreated(bucket.name, object.stored.key, object.stored.sizeBytes)
  return buildSuccessReply(object.fields, bucket.name, object.stored)
}

async function withForm<Result>({ incoming }: S3Request, work: (form: Form) => Promise<Result>): Promise<Result> {
  const parser = openParser(incoming.headers)
  try {
    return await work(await readUntilFile(incoming, parser))
  } finally {
    incoming.unpipe(parser)
    incoming.resume()
  }
}

function readUntilFile(incoming: IncomingMessage, parser: BusboyInstance): Promise<Form> {
  const fields = new Map<string, string>()
  let fieldsBytes = 0
  return new Promise((resolve, reject) => {
    parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
      fieldsBytes += Buffer.byteLength(name) + Buffer.byteLength(value)
      if (valueTruncated || fieldsBytes > MAX_FIELDS_BYTES) reject(new S3Error('MaxPostPreDataLengthExceeded'))
      fields.set(name.toLowerCase(), value)
    })
    parser.on('file', (_name, file, fileName) => {
      // The reader of the file gets the error; without a reader it does not matter.
      file.on('error', () => {})
      incoming.on('error', (error) => file.destroy(error))
      resolve({ fields: new Map(fields), fileName: fileName ?? '', file })
    })
    parser.on('finish', () => reject(createNoFileError()))
    parser.on('error', () => reject(new S3Error('MalformedPOSTRequest')))
    incoming.on('error', reject)
    incoming.pipe(parser)
  })
}

function openParser(headers: IncomingMessage['headers']): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      isPartAFile: (name) => name === 'file',
      limits: { fieldSize: MAX_FIELDS_BYTES, files: 1 },
      preservePath: false,
    })
  } catch {
    throw new S3Error('MalformedPOSTRequest')
  }
}

/** Fails at the first byte over the limit, so that nothing is stored. */
async function* enforceLimits(file: Readable, { minBytes, maxBytes }: SizeLimits): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of readFileBytes(file)) {
    size += piece.length
    if (size > maxBytes) throw new S3Error('EntityTooLarge', undefined, { MaxSizeAllowed: String(maxBytes) })
    yield piece
  }
  if (size >= minBytes) return
  throw new S3Error('EntityTooSmall', undefined, { ProposedSize: String(size), MinSizeAllowed: String(minBytes) })
}

async function* readFileBytes(file: Readable): AsyncGenerator<Buffer> {
  try {
    yield* file
  } catch {
    throw new S3Error('MalformedPOSTRequest')
  }
}

function buildObjectKey(fields: FormFields, fileName: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of the form, in its own syntax.
  const key = (fields.get('key') ?? '').replaceAll('${filename}', () => fileName)
  if (!key) {
    throw new S3Error(
      'InvalidArgument',
      "Bucket POST must contain a field named 'key'.  If it is specified, please check the order of the fields.",
    )
  }
  assertKeyLength(key)
  return key
}

const toHeaderSource = (fields: FormFields): HeaderSource => ({
  header: (name) => {
    const value = fields.get(name)
    return value === undefined ? undefined : encodeHeaderValue(name, value)
  },
  headerNames: (prefix) => [...fields.keys()].filter((name) => name.startsWith(prefix)),
})

function buildSuccessReply(fields: FormFields, bucket: string, object: ObjectMetadata): Reply {
  const location = `/${bucket}/${encodeURIComponent(object.key)}`
  const headers = { etag: `"${object.etag}"`, location }
  const redirect = parseRedirectUrl(fields)
  if (redirect) {
    for (const [name, value] of Object.entries({ bucket, key: object.key, etag: headers.etag }))
      redirect.searchParams.set(name, value)
    return { status: 303, headers: { ...headers, location: redirect.href } }
  }
  const status = fields.get('success_action_status')
  if (status === '200') return { status: 200, headers }
  if (status !== '201') return { status: 204, headers }
  const body = buildDocument(
    'PostResponse',
    buildText('Location', location),
    buildText('Bucket', bucket),
    buildText('Key', object.key),
    buildText('ETag', headers.etag),
  )
  return { status: 201, headers, body }
}

function parseRedirectUrl(fields: FormFields): URL | undefined {
  const target = fields.get('success_action_redirect') ?? fields.get('redirect')
  return target && URL.canParse(target) ? new URL(target) : undefined
}

const createNoFileError = () =>
  new S3Error('InvalidArgument', 'POST requires exactly one file upload per request.', { ArgumentName: 'file' })
