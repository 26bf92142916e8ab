/** Reads a file like an extraction, but without a cloud; returns its tables as strings. */
import { Readable } from 'node:stream'
import type { FileBytes } from '../../lib/files/extract/bytes.ts'
import { buildColumnLabels, buildColumnNames } from '../../lib/files/extract/columns.ts'
import { type FormatOptions, openSource } from '../../lib/files/extract/formats.ts'
import { ReopenWith, type Source } from '../../lib/files/extract/source.ts'
import { getExtension } from '../../lib/files/file-types.ts'

export interface ReadTable {
  name: string | undefined
  hidden: boolean
  headerRow: number
  columns: string[]
  labels: string[]
  rows: (string | null)[][]
}

export function createFileBytes(name: string, bytes: Uint8Array, chunkBytes = 64 * 1024): FileBytes {
  const all = Buffer.from(bytes)
  function* splitChunks(start: number, end: number): Generator<Buffer> {
    for (let at = start; at < end; at += chunkBytes) yield all.subarray(at, Math.min(end, at + chunkBytes))
  }
  return {
    name,
    ext: getExtension(name),
    size: all.length,
    isStored: true,
    stream: async () => Readable.from(splitChunks(0, all.length)),
    range: async (start, end) => all.subarray(start, end),
    rangeStream: async (start, end) => Readable.from(splitChunks(start, Math.min(end, all.length))),
  }
}

export const readTables = (
  name: string,
  bytes: Uint8Array,
  options?: FormatOptions,
  chunkBytes?: number,
): Promise<ReadTable[]> => withSource(createFileBytes(name, bytes, chunkBytes), options, collectTables)

export const readWithoutKeeping = (name: string, bytes: Uint8Array, options?: FormatOptions): Promise<void> =>
  withSource(createFileBytes(name, bytes), options, async (source) => {
    for await (const _ of source.parts());
  })

async function withSource<T>(
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
        if (!(error instanceof ReopenWith)) throw error
        source = error.source
      }
    }
  } finally {
    await source.close?.()
  }
}

async function collectTables(source: Source): Promise<ReadTable[]> {
  const tables = source.tables.map(({ name, hidden, headerRow, header, labels, width }) => {
    const columns = buildColumnNames(header ?? [], width)
    return {
      ...{ name, hidden: hidden === true, headerRow, columns },
      labels: buildColumnLabels(labels ?? header ?? [], columns),
      rows: [] as (string | null)[][],
    }
  })
  for await (const { table, rows } of source.parts()) {
    const { length, bytes, starts, ends } = rows
    const { columns, rows: withSource } = tables[table]!
    for (let row = 0; row < length; row++)
      withSource.push(
        columns.map((_, column) => {
          const at = row * columns.length + column
          return starts[at] === ends[at] ? null : bytes.toString('utf8', starts[at], ends[at])
        }),
      )
  }
  return tables
}

export async function collectBytes(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
