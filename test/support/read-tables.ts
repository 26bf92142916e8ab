/** Reads a file as extraction does, without a cloud: its tables as texts. */
import { Readable } from 'node:stream'
import type { FileBytes } from '../../lib/files/extract/bytes.ts'
import { columnNames } from '../../lib/files/extract/columns.ts'
import { type FormatOptions, openSource } from '../../lib/files/extract/formats.ts'
import { Relearn, type Source } from '../../lib/files/extract/source.ts'
import { extensionOf } from '../../lib/files/names.ts'

export interface ReadTable {
  /** Undefined where it has none but the file's. */
  name: string | undefined
  hidden: boolean
  headerRow: number
  columns: string[]
  /** Null for empty cells. */
  rows: (string | null)[][]
}

/** A stored file whose bytes are here. @param chunkBytes of its streams, so that pieces end anywhere */
export function fileOf(name: string, bytes: Uint8Array, chunkBytes = 64 * 1024): FileBytes {
  const all = Buffer.from(bytes)
  function* chunks(start: number, end: number): Generator<Buffer> {
    for (let at = start; at < end; at += chunkBytes) yield all.subarray(at, Math.min(end, at + chunkBytes))
  }
  return {
    name,
    ext: extensionOf(name),
    size: all.length,
    isStored: true,
    stream: async () => Readable.from(chunks(0, all.length)),
    range: async (start, end) => all.subarray(start, end),
    rangeStream: async (start, end) => Readable.from(chunks(start, Math.min(end, all.length))),
  }
}

export const readTables = (
  name: string,
  bytes: Uint8Array,
  options?: FormatOptions,
  chunkBytes?: number,
): Promise<ReadTable[]> => read(fileOf(name, bytes, chunkBytes), options, tablesOf)

/** Reads all of it and keeps nothing. */
export const readThrough = (name: string, bytes: Uint8Array, options?: FormatOptions): Promise<void> =>
  read(fileOf(name, bytes), options, async (source) => {
    for await (const _ of source.parts());
  })

async function read<T>(
  file: FileBytes,
  options: FormatOptions | undefined,
  take: (source: Source) => Promise<T>,
): Promise<T> {
  let source = await openSource(file, options)
  try {
    for (;;) {
      try {
        return await take(source)
      } catch (error) {
        if (!(error instanceof Relearn)) throw error
        source = error.source
      }
    }
  } finally {
    await source.close?.()
  }
}

async function tablesOf(source: Source): Promise<ReadTable[]> {
  const tables = source.tables.map(({ name, hidden, headerRow, header, width }) => ({
    ...{ name, hidden: hidden === true, headerRow },
    columns: columnNames(header ?? [], width),
    rows: [] as (string | null)[][],
  }))
  for await (const { table, rows } of source.parts()) {
    const { length, bytes, starts, ends } = rows
    const { columns, rows: read } = tables[table]!
    for (let row = 0; row < length; row++)
      read.push(
        columns.map((_, column) => {
          const at = row * columns.length + column
          return starts[at] === ends[at] ? null : bytes.toString('utf8', starts[at], ends[at])
        }),
      )
  }
  return tables
}
