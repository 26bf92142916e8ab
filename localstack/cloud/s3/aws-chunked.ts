/** Decodes aws-chunked bodies. Data is passed on before it is verified, so store nothing before the end. */
import { createHash, type Hash } from 'node:crypto'
import type { ChunkSignatures } from '../signature/signature.ts'
import { S3Error } from './errors.ts'

const MAX_LINE_BYTES = 16 * 1024
const TRAILER_SIGNATURE = 'x-amz-trailer-signature'

type Expecting = 'chunk header' | 'data' | 'data end' | 'trailer' | 'nothing'

export class AwsChunkedDecoder {
  readonly trailers = new Map<string, string>()
  readonly #signatures: ChunkSignatures | undefined
  #expecting: Expecting = 'chunk header'
  #line: Buffer = Buffer.alloc(0)
  #remaining = 0
  #claimedSignature = ''
  #hash: Hash | undefined

  constructor(signatures?: ChunkSignatures) {
    this.#signatures = signatures
  }

  *decode(bytes: Buffer): Generator<Buffer> {
    let remaining = bytes
    while (remaining.length > 0) {
      if (this.#expecting === 'data') {
        const piece = remaining.subarray(0, this.#remaining)
        remaining = remaining.subarray(piece.length)
        this.#takeData(piece)
        yield piece
      } else {
        remaining = this.#takeLine(remaining)
      }
    }
  }

  end(): void {
    const isComplete = this.#expecting === 'nothing' || (this.#expecting === 'trailer' && this.#line.length === 0)
    if (!isComplete) throw new S3Error('IncompleteBody')
    if (this.#signatures && this.trailers.size > 0) this.#verifyTrailers(this.#signatures)
  }

  #takeData(piece: Buffer): void {
    this.#hash?.update(piece)
    this.#remaining -= piece.length
    if (this.#remaining > 0) return
    this.#expecting = 'data end'
    this.#verifyChunk()
  }

  #takeLine(bytes: Buffer): Buffer {
    const buffered = this.#line.length > 0 ? Buffer.concat([this.#line, bytes]) : bytes
    const end = buffered.indexOf('\r\n')
    if (end < 0) {
      if (buffered.length > MAX_LINE_BYTES) throw new S3Error('IncompleteBody', 'The chunked encoding is malformed.')
      this.#line = buffered
      return Buffer.alloc(0)
    }
    this.#line = Buffer.alloc(0)
    this.#readLine(buffered.subarray(0, end).toString('latin1'))
    return buffered.subarray(end + 2)
  }

  #readLine(line: string): void {
    if (this.#expecting === 'chunk header') this.#startChunk(line)
    else if (this.#expecting === 'trailer') this.#readTrailer(line.trim())
    else if (this.#expecting === 'data end' && line === '') this.#expecting = 'chunk header'
    else throw new S3Error('IncompleteBody', 'The chunked encoding is malformed.')
  }

  #startChunk(line: string): void {
    const [, size, signature] = /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line) ?? []
    if (size === undefined) throw new S3Error('IncompleteBody', 'The chunked encoding is malformed.')
    this.#remaining = Number.parseInt(size, 16)
    this.#claimedSignature = signature ?? ''
    this.#hash = this.#signatures ? createHash('sha256') : undefined
    if (this.#remaining > 0) {
      this.#expecting = 'data'
    } else {
      this.#expecting = 'trailer'
      this.#verifyChunk()
    }
  }

  #verifyChunk(): void {
    if (!this.#signatures || !this.#hash) return
    if (!this.#signatures.acceptsChunk(this.#hash.digest('hex'), this.#claimedSignature))
      throw new S3Error('SignatureDoesNotMatch')
  }

  #readTrailer(line: string): void {
    if (line === '') {
      this.#expecting = 'nothing'
      return
    }
    const colon = line.indexOf(':')
    if (colon < 1) throw new S3Error('MalformedTrailerError')
    this.trailers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }

  #verifyTrailers(signatures: ChunkSignatures): void {
    const signed = [...this.trailers].filter(([name]) => name !== TRAILER_SIGNATURE)
    const text = signed.map(([name, value]) => `${name}:${value}\n`).join('')
    if (signatures.acceptsTrailers(text, this.trailers.get(TRAILER_SIGNATURE) ?? '')) return
    throw new S3Error('SignatureDoesNotMatch')
  }
}
