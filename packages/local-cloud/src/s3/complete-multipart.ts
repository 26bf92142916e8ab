/** Checks the part list of a multipart upload and joins its parts to an object. */
import type { Bucket, ObjectMetadata } from './bucket.ts'
import { Digest } from './checksums.ts'
import { S3Error } from './errors.ts'
import type { Store } from './store.ts'
import type { Part, Upload } from './uploads.ts'
import { childElements, childText, type XmlElement } from './xml.ts'

const MIN_PART_BYTES = 5 * 1024 * 1024

export interface ListedPart {
  number: number
  etag: string
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
  return { number, etag }
}

export interface Completion {
  store: Store
  bucket: Bucket
  id: string
  upload: Upload
  listed: ListedPart[]
}

export async function assembleObject({ store, bucket, id, upload, listed }: Completion): Promise<ObjectMetadata> {
  const parts = selectParts(listed, await bucket.uploads.listParts(id))
  const { key, headers } = upload
  const sizeBytes = parts.reduce((total, part) => total + part.sizeBytes, 0)
  return store.writeTemporary(readParts(bucket, id, parts), undefined, (writer) =>
    bucket.commit(writer, { key, headers, sizeBytes, etag: computeMultipartEtag(parts) }),
  )
}

function selectParts(listed: ListedPart[], stored: Part[]): Part[] {
  const byNumber = new Map(stored.map((part) => [part.number, part]))
  return listed.map((claim, index) => {
    const part = byNumber.get(claim.number)
    if (!part || part.etag !== claim.etag) throw createInvalidPartError(claim)
    if (part.sizeBytes < MIN_PART_BYTES && index < listed.length - 1) throw createTooSmallError(part)
    return part
  })
}

async function* readParts(bucket: Bucket, id: string, parts: Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* (await bucket.uploads.openPart(id, part.number)).readPieces()
}

function computeMultipartEtag(parts: Part[]): string {
  const digest = new Digest()
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
