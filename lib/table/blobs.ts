/**
 * Blobs kept as items: pk `sg#<blobId>`, so that each has a partition of its own, sk `<part>`, d: bytes. They never change.
 */
import { batchDelete, batchGet, batchPut, type Item, put } from './batch.ts'

/** Item size limit less room for keys and names. */
export const PART_BYTES = 380_000
/** BatchWriteItem takes 16 MB and 25 items. */
const BATCH_BYTES = 4_000_000

export async function putBlobParts(blobId: string, bytes: Buffer): Promise<void> {
  const items: Item[] = []
  for (let at = 0; at < bytes.length || at === 0; at += PART_BYTES)
    items.push({ ...partKey(blobId, at / PART_BYTES), d: { B: bytes.subarray(at, at + PART_BYTES) } })
  if (items.length === 1) return put(items[0]!)
  const perBatch = Math.floor(BATCH_BYTES / PART_BYTES)
  for (let i = 0; i < items.length; i += perBatch) await batchPut(items.slice(i, i + perBatch))
}

const partKey = (blobId: string, part: number): Item => ({
  pk: { S: `sg#${blobId}` },
  sk: { S: String(part).padStart(4, '0') },
})

export interface PartRequest {
  blobId: string
  part: number
}

/** Parts of blobs, in the order asked for. Blobs never change, so an eventually consistent read is enough. */
export async function getBlobParts(requests: readonly PartRequest[]): Promise<Buffer[]> {
  const name = (blobId: string, part: string | number): string => `${blobId} ${String(part).padStart(4, '0')}`
  const items = await batchGet(
    requests.map(({ blobId, part }) => partKey(blobId, part)),
    false,
  )
  const found = new Map(items.map((item) => [name(item.pk!.S!.slice(3), item.sk!.S!), item.d!.B!]))
  return requests.map(({ blobId, part }) => {
    const bytes = found.get(name(blobId, part))
    if (!bytes) throw new Error(`Part ${part} of blob ${blobId} is missing`)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  })
}

/** @param bytes the blob's length: it tells how many parts there are */
export const deleteBlobParts = (blobs: readonly { id: string; bytes: number }[]): Promise<void> =>
  batchDelete(
    blobs.flatMap(({ id, bytes }) =>
      Array.from({ length: Math.max(1, Math.ceil(bytes / PART_BYTES)) }, (_, part) => partKey(id, part)),
    ),
  )
