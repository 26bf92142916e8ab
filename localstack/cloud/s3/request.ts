/**
 * One S3 request in path style: what it asks of which bucket and key, and its headers.
 * The URL is taken apart by hand: a URL parser would resolve `..` and `//`, which are ordinary key characters.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { S3Error } from './errors.ts'

const MAX_KEY_BYTES = 1024
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

export class S3Request {
  readonly incoming: IncomingMessage
  readonly id = randomUUID()
  readonly method: string
  /** The decoded path: `/bucket/key`. */
  readonly path: string
  /** Empty when the request is about the service itself. */
  readonly bucket: string
  /** Empty when the request is about a bucket. */
  readonly key: string
  /** Decoded parameters in the order sent; one name may occur several times. */
  readonly parameters: [name: string, value: string][]
  /** Headers as sent: lower-case names, values one character a byte. */
  readonly #headers: Record<string, string> = {}

  /** @throws InvalidURI, InvalidBucketName, KeyTooLongError */
  constructor(incoming: IncomingMessage) {
    this.incoming = incoming
    this.method = incoming.method ?? 'GET'
    const { path, query } = splitUrl(incoming.url ?? '/')
    this.path = decode(path)
    this.parameters = parseQuery(query)
    const slash = this.path.indexOf('/', 1)
    this.bucket = slash < 0 ? this.path.slice(1) : this.path.slice(1, slash)
    this.key = slash < 0 ? '' : this.path.slice(slash + 1)
    for (const [name, value] of Object.entries(incoming.headers)) {
      this.#headers[name] = Array.isArray(value) ? value.join(',') : (value ?? '')
    }
    if (this.isPresigned) this.#adoptParameters()
    if (this.bucket && !BUCKET_NAME.test(this.bucket))
      throw new S3Error('InvalidBucketName', undefined, { BucketName: this.bucket })
    assertKeyLength(this.key)
  }

  get isPresigned(): boolean {
    return this.query('X-Amz-Signature') !== undefined
  }

  /** The first value of a query parameter. */
  query(name: string): string | undefined {
    return this.parameters.find(([known]) => known === name)?.[1]
  }

  header(name: string): string | undefined {
    return this.#headers[name]
  }

  /** The names of all headers that begin with `prefix`. */
  headerNames(prefix: string): string[] {
    return Object.keys(this.#headers).filter((name) => name.startsWith(prefix))
  }

  /** A whole number from the query. @throws InvalidArgument when it is not one in [0, 2^31). */
  integer(name: string, otherwise: number): number {
    const value = this.query(name)
    if (value === undefined || value === '') return otherwise
    if (/^\d{1,10}$/.test(value) && Number(value) < 2 ** 31) return Number(value)
    throw new S3Error('InvalidArgument', `Provided ${name} not an integer or within integer range`, {
      ArgumentName: name,
      ArgumentValue: value,
    })
  }

  /** In a presigned URL the signer moves x-amz- headers to the query: they count as headers. */
  #adoptParameters(): void {
    for (const [name, value] of this.parameters) {
      if (name.startsWith('x-amz-')) this.#headers[name] ??= Buffer.from(value).toString('latin1')
    }
  }
}

/** @throws KeyTooLongError above 1024 bytes of UTF-8. */
export function assertKeyLength(key: string): void {
  const size = Buffer.byteLength(key)
  if (size <= MAX_KEY_BYTES) return
  throw new S3Error('KeyTooLongError', undefined, { Size: String(size), MaxSizeAllowed: String(MAX_KEY_BYTES) })
}

function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

function parseQuery(query: string): [string, string][] {
  const pairs = query.split('&').filter(Boolean)
  return pairs.map((pair) => {
    const [name, ...value] = pair.replaceAll('+', ' ').split('=')
    return [decode(name!), decode(value.join('='))]
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new S3Error('InvalidURI')
  }
}
