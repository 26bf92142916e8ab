/** Completes multipart uploads: validates the client's part list and concatenates the parts into one blob. */
import type { Bucket, ObjectMetadata, WriteGuard } from './bucket.ts'
import {
  CHECKSUM_ALGORITHMS,
  type Checksum,
  computeCompositeChecksum,
  Digest,
  getChecksumElement,
} from './checksums.ts'
import { S3Error } from './errors.ts'
import { readPieces } from './objects.ts'
import type { S3Request } from './request.ts'
import type { Store } from './store.ts'
import type { Part, Upload } from './uploads.ts'
import { childElements, childText, type XmlElement } from './xml.ts'

const MIN_PART_BYTES = 5 * 1024 * 1024

export interface ListedPart {
  number: number
  etag: string
  checksum?: { algorithm: string; value: string }
}

export function readPartList(xml: XmlElement): ListedPart[] {
  const parts = childElements(xml, 'Part').map(readListedPart)
  if (parts.length === 0) throw new S3Error('MalformedXML')
  const isAscending = parts.every((part, index) => index === 0 || part.number > parts[index - 1]!.number)
  if (!isAscending) throw new S3Error('InvalidPartOrder')
  return parts
}

function readListedPart(part: XmlElement): ListedPart {
  const number = Number(childText(part, 'PartNumber'))
  const etag = childText(part, 'ETag')?.trim().replaceAll('"', '')
  if (!Number.isInteger(number) || !etag) throw new S3Error('MalformedXML')
  const algorithm = CHECKSUM_ALGORITHMS.find((name) => part[getChecksumElement(name)] !== undefined)
  if (!algorithm) return { number, etag }
  return { number, etag, checksum: { algorithm, value: childText(part, getChecksumElement(algorithm)) ?? '' } }
}

export interface Completion {
  store: Store
  bucket: Bucket
  id: string
  upload: Upload
  listed: ListedPart[]
  request: S3Request
  guard: WriteGuard | undefined
}

export async function assembleObject(completion: Completion): Promise<ObjectMetadata> {
  const { store, bucket, id, upload, request, guard } = completion
  const parts = selectParts(completion, await bucket.uploads.listParts(id))
  const announcedChecksum = upload.checksum
  const digest = new Digest(announcedChecksum?.type === 'FULL_OBJECT' ? [announcedChecksum.algorithm] : [])
  return store.writeTemporary(readParts(bucket, id, parts), digest, (writer) => {
    const checksum = computeObjectChecksum(upload, parts, digest)
    assertClaimedChecksum(request, checksum)
    const { key, headers } = upload
    return bucket.commit(
      writer,
      { key, headers, sizeBytes: digest.sizeBytes, etag: computeMultipartEtag(parts), checksum },
      guard,
    )
  })
}

function selectParts({ listed, upload }: Completion, stored: Part[]): Part[] {
  const byNumber = new Map(stored.map((part) => [part.number, part]))
  return listed.map((claim, index) => {
    const part = byNumber.get(claim.number)
    if (!part || part.etag !== claim.etag) throw createInvalidPartError(claim)
    assertPartChecksum(claim, part, upload)
    if (part.sizeBytes < MIN_PART_BYTES && index < listed.length - 1) throw createTooSmallError(part)
    return part
  })
}

function assertPartChecksum(claim: ListedPart, part: Part, upload: Upload): void {
  if (claim.checksum) {
    const { algorithm, value } = claim.checksum
    if (part.checksum?.algorithm !== algorithm || part.checksum.value !== value) throw createInvalidPartError(claim)
  } else if (upload.checksum?.type === 'COMPOSITE') {
    throw new S3Error(
      'InvalidRequest',
      `The upload was created using a ${upload.checksum.algorithm} checksum. The complete request must include the checksum ` +
        `for each part. It was missing for part ${claim.number} in the request.`,
    )
  }
}

async function* readParts(bucket: Bucket, id: string, parts: Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* readPieces(await bucket.uploads.openPart(id, part.number))
}

function computeObjectChecksum({ checksum }: Upload, parts: Part[], digest: Digest): Checksum | undefined {
  if (!checksum) return undefined
  if (checksum.type === 'FULL_OBJECT') return digest.checksum(checksum.algorithm)
  return computeCompositeChecksum(
    checksum.algorithm,
    parts.map((part) => part.checksum!.value),
  )
}

function assertClaimedChecksum(request: S3Request, checksum: Checksum | undefined): void {
  const claimed = checksum && request.header(`x-amz-checksum-${checksum.algorithm}`)
  if (!checksum || claimed === undefined || claimed === checksum.value) return
  throw new S3Error('BadDigest', `The ${checksum.algorithm} you specified did not match the calculated checksum.`)
}

function computeMultipartEtag(parts: Part[]): string {
  const digest = new Digest(['md5'])
  for (const part of parts) digest.update(Buffer.from(part.etag, 'hex'))
  return `${digest.md5}-${parts.length}`
}

const createInvalidPartError = (claim: ListedPart) =>
  new S3Error('InvalidPart', undefined, { PartNumber: String(claim.number), ETag: claim.etag })

const createTooSmallError = (part: Part) =>
  new S3Error('EntityTooSmall', undefined, {
    ProposedSize: String(part.sizeBytes),
    MinSizeAllowed: String(MIN_PART_BYTES),
    PartNumber: String(part.number),
    ETag: part.etag,
  })
