import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { findParameter, isPresigned, type SignedRequest, toSignedRequest } from '../signature/request.ts'
import { S3Error } from './errors.ts'

const MAX_KEY_BYTES = 1024
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

export class S3Request {
  readonly incoming: IncomingMessage
  readonly id = randomUUID()
  readonly signable: SignedRequest
  readonly isPresigned: boolean
  readonly bucket: string
  readonly key: string
  /** Lower-case names, values with one character per byte. */
  readonly #headers: Record<string, string> = {}

  constructor(incoming: IncomingMessage) {
    this.incoming = incoming
    this.signable = decodeRequest(incoming)
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

  query(name: string): string | undefined {
    return findParameter(this.signable, name)
  }

  header(name: string): string | undefined {
    return this.#headers[name]
  }

  headerNames(prefix: string): string[] {
    return Object.keys(this.#headers).filter((name) => name.startsWith(prefix))
  }

  parseInteger(name: string, fallback: number): number {
    const value = this.query(name)
    if (value === undefined || value === '') return fallback
    if (/^\d{1,10}$/.test(value) && Number(value) < 2 ** 31) return Number(value)
    throw new S3Error('InvalidArgument', `Provided ${name} not an integer or within integer range`, {
      ArgumentName: name,
      ArgumentValue: value,
    })
  }

  #adoptParameters(): void {
    for (const [name, value] of this.signable.parameters) {
      if (name.startsWith('x-amz-')) this.#headers[name] ??= Buffer.from(value).toString('latin1')
    }
  }
}

function assertKeyLength(key: string): void {
  const size = Buffer.byteLength(key)
  if (size <= MAX_KEY_BYTES) return
  throw new S3Error('KeyTooLongError', undefined, { Size: String(size), MaxSizeAllowed: String(MAX_KEY_BYTES) })
}

function decodeRequest(incoming: IncomingMessage): SignedRequest {
  try {
    const request = toSignedRequest(incoming)
    return { ...request, path: decodeURIComponent(request.path) }
  } catch {
    throw new S3Error('InvalidURI')
  }
}
