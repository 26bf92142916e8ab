/** Rows that wait for the record they change, by segment; spilled to the store above `matchedBytes`. */
import { deleteObject } from '../../objects/store.ts'
import { getOrInsert } from '../columns/maps.ts'
import { packChunk, unpackChunk } from '../format/chunk.ts'
import { formatObjectKey, getSpan, putBlob, readSpans, type Store } from '../log/store.ts'
import type { BlobRef } from '../state/state.ts'

export interface MatchedSegment {
  rows: number[]
  columns: unknown[][]
}

export interface MatchedRows {
  readonly count: number
  readonly segmentKeys: Iterable<string>
  add(segmentKey: string, row: number, columns: readonly (readonly unknown[])[], index: number): void
  limitMemory(): Promise<void>
  read(segmentKey: string): Promise<MatchedSegment>
  discard(): Promise<void>
}

/** Estimated size of a value without its text. */
const VALUE_BYTES = 16
const MAX_CONCURRENT_PACKS = 4

export function createMatchedRows(store: Store, sheetId: string, width: number): MatchedRows {
  const createSegment = (): MatchedSegment => ({ rows: [], columns: Array.from({ length: width }, () => []) })
  let waiting = new Map<string, MatchedSegment>()
  const segmentKeys = new Set<string>()
  const spills: BlobRef[] = []
  let bytes = 0
  let count = 0

  async function spill(): Promise<void> {
    const segments = [...waiting]
    waiting = new Map()
    bytes = 0
    const chunks: { name: string; packed: Buffer }[] = []
    for (let from = 0; from < segments.length; from += MAX_CONCURRENT_PACKS)
      chunks.push(
        ...(await Promise.all(
          segments.slice(from, from + MAX_CONCURRENT_PACKS).map(async ([name, segment]) => ({
            name,
            packed: await packChunk(Buffer.from(JSON.stringify(segment))),
          })),
        )),
      )
    spills.push(await putBlob(store, sheetId, chunks))
  }

  return {
    get count() {
      return count
    },
    segmentKeys,
    add(segmentKey, row, columns, index) {
      segmentKeys.add(segmentKey)
      const segment = getOrInsert(waiting, segmentKey, createSegment)
      segment.rows.push(row)
      for (let i = 0; i < width; i++) {
        const value = columns[i]![index]
        segment.columns[i]!.push(value)
        bytes += typeof value === 'string' ? VALUE_BYTES + value.length : VALUE_BYTES
      }
      count++
    },
    async limitMemory() {
      if (bytes > store.matchedBytes) await spill()
    },
    async read(segmentKey) {
      const spans = spills.flatMap((blob) => {
        const index = blob.names.indexOf(segmentKey)
        return index < 0 ? [] : [getSpan({ blob, index })]
      })
      const spilled = (await readSpans(spans)).map(
        (packed) => JSON.parse(unpackChunk(packed).toString('utf8')) as MatchedSegment,
      )
      return sortByRow([...spilled, waiting.get(segmentKey) ?? createSegment()], width)
    },
    async discard() {
      for (const { id, tier } of spills) if (tier === 's') await deleteObject(formatObjectKey(id))
    },
  }
}

function sortByRow(parts: readonly MatchedSegment[], width: number): MatchedSegment {
  const rows = parts.flatMap((part) => part.rows)
  const columns = Array.from({ length: width }, (_, i) => parts.flatMap((part) => part.columns[i]!))
  if (rows.every((row, i) => i === 0 || rows[i - 1]! < row)) return { rows, columns }
  const order = rows.map((_, i) => i).sort((a, b) => rows[a]! - rows[b]!)
  return {
    rows: order.map((i) => rows[i]!),
    columns: columns.map((column) => order.map((i) => column[i])),
  }
}
