/** One S3 request in path style: what it asks of which bucket and key, and its headers. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isPresigned, parameterOf, type SignedRequest, signedRequest } from '../signature/request.ts'
import { S3Error } from './errors.ts'

const MAX_KEY_BYTES = 1024
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

export class S3Request {
  readonly incoming: IncomingMessage
  readonly id = randomUUID()
  /** With its path decoded, as S3 signs it: `/bucket/key`. */
  readonly signable: SignedRequest
  readonly isPresigned: boolean
  /** Empty when the request is about the service itself. */
  readonly bucket: string
  /** Empty when the request is about a bucket. */
  readonly key: string
  /** Headers as sent: lower-case names, values one character a byte. */
  readonly #headers: Record<string, string> = {}

  /** @throws InvalidURI, InvalidBucketName, KeyTooLongError */
  constructor(incoming: IncomingMessage) {
    this.incoming = incoming
    this.signable = decoded(incoming)
    this.isPresigned = isPresigned(this.signable)
    const { path } = this.signable
    const slash = path.indexOf('/', 1)
    this.bucket = slash < 0 ? path.slice(1) : path.slice(1, slash)
    this.key = slash < 0 ? '' : path.slice(slash + 1)
    for (const [name, value] of Object.entries(incoming.headers)) {
      this.#headers[name] = Array.isArray(value) ? value.join(',') : (value ?? '')
    }
    if (this.isPresigned) this.#adoptParameters()
    if (this.bucket && !BUCKET_NAME.test(this.bucket))
      throw new S3Error('InvalidBucketName', undefined, { BucketName: this.bucket })
    assertKeyLength(this.key)
  }

  get method(): string {
    return this.signable.method
  }

  /** The first value of a query parameter. */
  query(name: string): string | undefined {
    return parameterOf(this.signable, name)
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
    for (const [name, value] of this.signable.parameters) {
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

function decoded(incoming: IncomingMessage): SignedRequest {
  try {
    const request = signedRequest(incoming)
    return { ...request, path: decodeURIComponent(request.path) }
  } catch {
    throw new S3Error('InvalidURI')
  }
}
