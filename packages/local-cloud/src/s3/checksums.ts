/** Digests of data, and the checksums that a request claims for its body. */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

/** The MD5 of an object is its entity tag. */
export class Digest {
  sizeBytes = 0
  readonly #hash = createHash('md5')
  #md5: Buffer | undefined

  update(piece: Buffer): void {
    this.sizeBytes += piece.length
    this.#hash.update(piece)
  }

  get md5Bytes(): Buffer {
    this.#md5 ??= this.#hash.digest()
    return this.#md5
  }

  get md5(): string {
    return this.md5Bytes.toString('hex')
  }
}

export interface BodyCheck {
  update(piece: Buffer): void
  /** @throws BadDigest */
  assertMatches(digest: Digest): void
}

const CHECKSUM_SETTINGS = ['x-amz-checksum-algorithm', 'x-amz-checksum-mode', 'x-amz-checksum-type']

/** Content-MD5 and x-amz-checksum-crc32, the default of the SDK. */
export function createBodyCheck(request: S3Request): BodyCheck {
  const md5 = readClaim(request, 'content-md5', 16, 'InvalidDigest')
  const claimedCrc = readClaim(request, 'x-amz-checksum-crc32', 4, 'InvalidRequest')
  const unknown = request
    .headerNames('x-amz-checksum-')
    .find((name) => name !== 'x-amz-checksum-crc32' && !CHECKSUM_SETTINGS.includes(name))
  if (unknown) throw new S3Error('NotImplemented', `The checksum ${unknown} is not implemented`)
  let crc = 0
  return {
    update(piece) {
      if (claimedCrc) crc = crc32(piece, crc)
    },
    assertMatches({ md5Bytes }) {
      if (md5 && !md5Bytes.equals(md5)) throw new S3Error('BadDigest')
      if (claimedCrc && claimedCrc.readUInt32BE() !== crc)
        throw new S3Error('BadDigest', 'The CRC32 you specified did not match the calculated checksum.')
    },
  }
}

function readClaim(
  request: S3Request,
  name: string,
  lengthBytes: number,
  code: 'InvalidDigest' | 'InvalidRequest',
): Buffer | undefined {
  const value = request.header(name)
  if (value === undefined) return undefined
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length === lengthBytes && bytes.toString('base64') === value) return bytes
  throw new S3Error(code, `Value for ${name} header is invalid.`)
}
