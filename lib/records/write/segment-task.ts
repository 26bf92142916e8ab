/** Segments of a file's cells, built by worker threads while this thread reads on. */
import { type Task, toBuffer } from '../../core/threads/task.ts'
import { runTask } from '../../core/threads/threads.ts'
import type { CellBytes } from '../fields/cell-bytes.ts'
import { processStore, type Store } from '../log/store.ts'
import type { SheetRef } from '../sheet.ts'
import { createSegmentBuilder, restoreSegments, SEGMENT_BYTES, type SegmentsPart } from './build-segments.ts'

/** Batches of one segment. Their memory is shared with the threads. */
interface CellGroup extends Omit<CellBytes, 'length'> {
  batches: readonly BatchPosition[]
}

interface BatchPosition {
  length: number
  end: number
}

interface SegmentSetup {
  sheet: SheetRef
  segmentRows: number
}

export const segmentTask: Task<SegmentSetup, CellGroup, SegmentsPart> = {
  name: 'segments',
  isMainBusy: true,
  async start({ sheet, segmentRows }) {
    const buildSegments = await createSegmentBuilder(sheet, segmentRows)
    return (group) => buildSegments(listBatches(group))
  },
  restoreInput: ({ bytes, ...group }) => ({ ...group, bytes: toBuffer(bytes) }),
  restoreOutput: restoreSegments,
}

/** Sheets without functions, which threads cannot get. */
export function toPlainSheet({ findLinkedSheet: _, ...sheet }: SheetRef): SheetRef {
  return sheet
}

/** Each batch is copied once; its memory can be reused when the next one is requested. */
export async function* buildInThreads(
  sheet: SheetRef,
  batches: AsyncIterable<CellBytes>,
  { segmentRows }: Pick<Store, 'segmentRows'> = processStore,
): AsyncGenerator<SegmentsPart> {
  const waiting: GroupWriter[] = []
  const idle: GroupWriter[] = []
  async function* readGroups(): AsyncGenerator<CellGroup> {
    let group = new GroupWriter()
    const take = (): CellGroup => {
      waiting.push(group)
      const taken = group.take()
      group = idle.pop() ?? new GroupWriter()
      return taken
    }
    for await (const batch of batches) {
      for (let from = 0; from < batch.length; ) {
        if (group.rows === segmentRows || group.columnBytes >= SEGMENT_BYTES) yield take()
        const to = Math.min(batch.length, from + segmentRows - group.rows)
        group.add(batch, from, to)
        from = to
      }
    }
    if (group.rows > 0) yield take()
  }
  const setup = { sheet: toPlainSheet(sheet), segmentRows }
  for await (const part of runTask(segmentTask, setup, readGroups(), { inThreads: true })) {
    idle.push(waiting.shift()!)
    yield part
  }
}

function* listBatches({ batches, keys, bytes, starts, ends }: CellGroup): Generator<CellBytes> {
  let [start, first] = [0, 0]
  for (const { length, end } of batches) {
    const last = first + length * keys.length
    yield {
      ...{ length, keys, bytes: bytes.subarray(start, end) },
      ...{ starts: starts.subarray(first, last), ends: ends.subarray(first, last) },
    }
    start = end
    first = last
  }
}

const EXTRA_CELL_BYTES = '"",\n'.length
const FIRST_BYTES = 1024 * 1024
const FIRST_CELLS = 64 * 1024

const shareBytes = (length: number): Buffer => Buffer.from(new SharedArrayBuffer(length))
const shareNumbers = (length: number): Uint32Array =>
  new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT))

function growTo<T extends Buffer | Uint32Array>(array: T, length: number, share: (length: number) => T): T {
  if (length <= array.length) return array
  const grown = share(Math.max(length, 2 * array.length))
  grown.set(array)
  return grown
}

class GroupWriter {
  rows = 0
  #keys: readonly string[] = []
  #batches: BatchPosition[] = []
  #cells = 0
  #used = 0
  #bytes = shareBytes(FIRST_BYTES)
  #starts = shareNumbers(FIRST_CELLS)
  #ends = shareNumbers(FIRST_CELLS)

  get columnBytes(): number {
    return this.#used + EXTRA_CELL_BYTES * this.#cells
  }

  add({ keys, bytes, starts, ends }: CellBytes, from: number, to: number): void {
    const [first, last] = [from * keys.length, to * keys.length]
    let end = 0
    for (let cell = first; cell < last; cell++) if (ends[cell]! > end) end = ends[cell]!
    const cells = this.#cells + last - first
    this.#bytes = growTo(this.#bytes, this.#used + end, shareBytes)
    this.#starts = growTo(this.#starts, cells, shareNumbers)
    this.#ends = growTo(this.#ends, cells, shareNumbers)
    this.#bytes.set(bytes.subarray(0, end), this.#used)
    this.#starts.set(starts.subarray(first, last), this.#cells)
    this.#ends.set(ends.subarray(first, last), this.#cells)
    this.#keys = keys
    this.#batches.push({ length: to - from, end: this.#used + end })
    this.#used += end
    this.#cells = cells
    this.rows += to - from
  }

  take(): CellGroup {
    const group = {
      keys: this.#keys,
      batches: this.#batches,
      bytes: this.#bytes.subarray(0, this.#used),
      starts: this.#starts.subarray(0, this.#cells),
      ends: this.#ends.subarray(0, this.#cells),
    }
    this.#batches = []
    this.#cells = 0
    this.#used = 0
    this.rows = 0
    return group
  }
}
