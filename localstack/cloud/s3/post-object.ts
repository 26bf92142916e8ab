/**
 * The browser upload: a multipart/form-data POST to a bucket. Fields come first, the file last, and the file streams.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { Credentials } from '../signature/signature.ts'
import type { ObjectMetadata } from './bucket.ts'
import { Digest } from './checksums.ts'
import { S3Error } from './errors.ts'
import { type HeaderSource, headerBytes, storedHeaders } from './object-headers.ts'
import type { ObjectCreated, Reply } from './operation.ts'
import { type FormFields, type SizeLimits, verifyForm } from './post-policy.ts'
import { assertKeyLength, type S3Request } from './request.ts'
import type { Store } from './store.ts'
import { document, text } from './xml.ts'

/** AWS reads at most 20 KB of form before the file. */
const MAX_FIELDS_BYTES = 20 * 1024

interface Form {
  fields: FormFields
  fileName: string
  file: Readable
}

/** Stores the file of a form. The form proves itself: there is no Authorization header. */
export async function postObject(
  request: S3Request,
  credentials: Credentials,
  store: Store,
  onObjectCreated: ObjectCreated,
): Promise<Reply> {
  const bucket = store.bucket(request.bucket)
  const object = await withForm(request, async ({ fields, fileName, file }) => {
    const limits = verifyForm(fields, bucket.name, credentials, Date.now())
    const key = keyOf(fields, fileName)
    const headers = storedHeaders(headersOf(fields))
    const digest = new Digest(['md5'])
    const stored = await store.receive(withinLimits(file, limits), digest, (writer) =>
      bucket.commit(writer, { key, headers, sizeBytes: digest.sizeBytes, etag: digest.md5 }),
    )
    return { stored, fields }
  })
  onObjectCreated(bucket.name, object.stored.key, object.stored.sizeBytes)
  return successReply(object.fields, bucket.name, object.stored)
}

/**
 * Reads a form up to its file and gives both to `work`; what follows the file is ignored.
 * @throws MalformedPOSTRequest, MaxPostPreDataLengthExceeded, InvalidArgument without a file, and what `work` throws.
 */
async function withForm<Result>({ incoming }: S3Request, work: (form: Form) => Promise<Result>): Promise<Result> {
  const parser = openParser(incoming.headers)
  try {
    return await work(await readToFile(incoming, parser))
  } finally {
    incoming.unpipe(parser)
    incoming.resume()
  }
}

function readToFile(incoming: IncomingMessage, parser: BusboyInstance): Promise<Form> {
  const fields = new Map<string, string>()
  let fieldsBytes = 0
  return new Promise((resolve, reject) => {
    parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
      fieldsBytes += Buffer.byteLength(name) + Buffer.byteLength(value)
      if (valueTruncated || fieldsBytes > MAX_FIELDS_BYTES) reject(new S3Error('MaxPostPreDataLengthExceeded'))
      fields.set(name.toLowerCase(), value)
    })
    parser.on('file', (_name, file, fileName) => {
      // A form cut off is met by whoever reads the file; when nobody does any more, it does not matter.
      file.on('error', () => {})
      incoming.on('error', (error) => file.destroy(error))
      resolve({ fields: new Map(fields), fileName: fileName ?? '', file })
    })
    parser.on('finish', () => reject(noFile()))
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

/** Stops at the first byte too many: nothing of it is kept. */
async function* withinLimits(file: Readable, { minBytes, maxBytes }: SizeLimits): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of bytesOf(file)) {
    size += piece.length
    if (size > maxBytes) throw new S3Error('EntityTooLarge', undefined, { MaxSizeAllowed: String(maxBytes) })
    yield piece
  }
  if (size >= minBytes) return
  throw new S3Error('EntityTooSmall', undefined, { ProposedSize: String(size), MinSizeAllowed: String(minBytes) })
}

async function* bytesOf(file: Readable): AsyncGenerator<Buffer> {
  try {
    yield* file
  } catch {
    throw new S3Error('MalformedPOSTRequest')
  }
}

function keyOf(fields: FormFields, fileName: string): string {
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

const headersOf = (fields: FormFields): HeaderSource => ({
  header: (name) => {
    const value = fields.get(name)
    return value === undefined ? undefined : headerBytes(name, value)
  },
  headerNames: (prefix) => [...fields.keys()].filter((name) => name.startsWith(prefix)),
})

/** 204 unless the form asks for 200, 201 with a document, or a redirect. */
function successReply(fields: FormFields, bucket: string, object: ObjectMetadata): Reply {
  const location = `/${bucket}/${encodeURIComponent(object.key)}`
  const headers = { etag: `"${object.etag}"`, location }
  const redirect = redirectUrl(fields)
  if (redirect) {
    for (const [name, value] of Object.entries({ bucket, key: object.key, etag: headers.etag }))
      redirect.searchParams.set(name, value)
    return { status: 303, headers: { ...headers, location: redirect.href } }
  }
  const status = fields.get('success_action_status')
  if (status === '200') return { status: 200, headers }
  if (status !== '201') return { status: 204, headers }
  const body = document(
    'PostResponse',
    text('Location', location),
    text('Bucket', bucket),
    text('Key', object.key),
    text('ETag', headers.etag),
  )
  return { status: 201, headers, body }
}

function redirectUrl(fields: FormFields): URL | undefined {
  const target = fields.get('success_action_redirect') ?? fields.get('redirect')
  return target && URL.canParse(target) ? new URL(target) : undefined
}

const noFile = () =>
  new S3Error('InvalidArgument', 'POST requires exactly one file upload per request.', { ArgumentName: 'file' })
