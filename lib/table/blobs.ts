/** Immutable blobs as items, each in a separate partition: pk `sg#<blobId>`, sk `<part>`, d: bytes. */
import { batchDelete, batchGet, batchPut, type Item, putItem } from './batch.ts'

/** The item size limit minus room for keys and names. */
export const PART_BYTES = 380_000
/** BatchWriteItem takes 16 MB and 25 items. */
const BATCH_BYTES = 4_000_000

export async function putBlobParts(blobId: string, bytes: Buffer): Promise<void> {
  const items: Item[] = []
  for (let at = 0; at < bytes.length || at === 0; at += PART_BYTES)
    items.push({ ...buildPartKey(blobId, at / PART_BYTES), d: { B: bytes.subarray(at, at + PART_BYTES) } })
  if (items.length === 1) return putItem(items[0]!)
  const perBatch = Math.floor(BATCH_BYTES / PART_BYTES)
  for (let i = 0; i < items.length; i += perBatch) await batchPut(items.slice(i, i + perBatch))
}

const buildPartKey = (blobId: string, part: number): Item => ({
  pk: { S: `sg#${blobId}` },
  sk: { S: String(part).padStart(4, '0') },
})

export interface PartRequest {
  blobId: string
  part: number
}

/** Eventually consistent reads suffice, since blobs never change. */
export async function getBlobParts(requests: readonly PartRequest[]): Promise<Buffer[]> {
  const formatPartName = (blobId: string, part: string | number): string => `${blobId} ${String(part).padStart(4, '0')}`
  const items = await batchGet(
    requests.map(({ blobId, part }) => buildPartKey(blobId, part)),
    false,
  )
  const found = new Map(items.map((item) => [formatPartName(item.pk!.S!.slice(3), item.sk!.S!), item.d!.B!]))
  return requests.map(({ blobId, part }) => {
    const bytes = found.get(formatPartName(blobId, part))
    if (!bytes) throw new Error(`Part ${part} of blob ${blobId} is missing`)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  })
}

export const deleteBlobParts = (blobs: readonly { id: string; bytes: number }[]): Promise<void> =>
  batchDelete(
    blobs.flatMap(({ id, bytes }) =>
      Array.from({ length: Math.max(1, Math.ceil(bytes / PART_BYTES)) }, (_, part) => buildPartKey(id, part)),
    ),
  )
