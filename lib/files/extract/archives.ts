import { pipeline, Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import {
  MAX_COMPRESSION_RATIO,
  MAX_ENTRY_BYTES,
  MAX_NESTED_WORKBOOK_BYTES,
  MAX_TABLES_PER_FILE,
  UNCHECKED_RATIO_BYTES,
} from '../../../schemas/files/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { ApiError, unprocessable } from '../../core/errors.ts'
import { EXTRACTED_EXTENSIONS, getExtension } from '../file-types.ts'
import { createStreamedBytes, type FileBytes } from './bytes.ts'
import { ReopenWith, type Source, type Table } from './source.ts'
import type { Archive, Entry } from './zip/archive.ts'

type OpenFile = (file: FileBytes) => Promise<Source>

const isClutter = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/.test(name)

export async function openFileArchive(archive: Archive, open: OpenFile): Promise<Source> {
  const files = [...archive.entries.values()].filter(({ name }) => !isClutter(name))
  const extractable = files.filter(({ name }) => EXTRACTED_EXTENSIONS.has(getExtension(name)))
  const skipped = files.filter((entry) => !extractable.includes(entry)).map(({ name }) => name)
  if (extractable.length === 0)
    throw unprocessable(
      skipped.length > 0
        ? message('files.archiveWithoutTables', { files: skipped.slice(0, 5).join(', ') })
        : message('files.emptyArchive'),
    )
  if (extractable.length > MAX_TABLES_PER_FILE) throw createTooManyTablesError()
  const names = buildNames(extractable)
  const members: Member[] = []
  try {
    await openMembers(extractable, names, open, members)
    return toSource(archive, members, skipped)
  } catch (error) {
    await closeAll(members)
    throw error
  }
}

async function openMembers(
  entries: readonly Entry[],
  names: readonly string[],
  open: OpenFile,
  members: Member[],
): Promise<void> {
  const diskBudget = { bytes: MAX_NESTED_WORKBOOK_BYTES }
  let tables = 0
  for (const [i, entry] of entries.entries()) {
    const { packedSize } = entry
    const bytes = createStreamedBytes(entry.name, entry.size, entry.stream, { packedSize, diskBudget })
    const source = await open(bytes).catch((error: unknown) => {
      throw prefixEntryName(entry.name, error)
    })
    members.push({ entry, name: names[i]!, source })
    source.releaseCaches?.()
    tables += source.tables.length
    if (tables > MAX_TABLES_PER_FILE) throw createTooManyTablesError()
  }
}

const createTooManyTablesError = (): ApiError =>
  unprocessable(message('files.tooManyTables', { count: MAX_TABLES_PER_FILE }))

const closeAll = async (members: readonly Member[]): Promise<void> => {
  for (const { source } of members) await source.close?.()
}

interface Member {
  entry: Entry
  name: string
  source: Source
}

function buildNames(entries: readonly Entry[]): string[] {
  const shortNames = entries.map(({ name }) => name.slice(name.lastIndexOf('/') + 1).replace(/(.)\.[^.]+$/, '$1'))
  return entries.map(({ name }, i) =>
    shortNames.filter((shortName) => shortName === shortNames[i]).length > 1 ? name : shortNames[i]!,
  )
}

function prefixEntryName(name: string, error: unknown): unknown {
  return error instanceof ApiError
    ? unprocessable(message('files.reason', { file: name, reason: error.message }))
    : error
}

const toSource = (archive: Archive, members: readonly Member[], skipped: readonly string[]): Source => ({
  tables: members.flatMap(({ name, source }): Table[] =>
    source.tables.map((table) => ({ ...table, name: table.name === undefined ? name : `${name} ${table.name}` })),
  ),
  skipped,
  getMixedLines: () => members.map(({ source }) => source.getMixedLines?.()).find((lines) => lines !== undefined),
  splitSheets: members.flatMap(({ source }) => source.splitSheets ?? []),
  parts: () => readParts(archive, members, skipped),
  countOmitted: () => members.reduce((sum, { source }) => sum + (source.countOmitted?.() ?? 0), 0),
  close: async () => {
    await closeAll(members)
    archive.close()
  },
})

async function* readParts(
  archive: Archive,
  members: readonly Member[],
  skipped: readonly string[],
): ReturnType<Source['parts']> {
  const bytes = members.reduce((sum, { entry }) => sum + entry.size, 0)
  let table = 0
  let bytesBefore = 0
  for (const [i, { entry, source }] of members.entries()) {
    try {
      for await (const part of source.parts())
        yield { ...part, table: table + part.table, done: (bytesBefore + part.done * entry.size) / Math.max(1, bytes) }
    } catch (error) {
      if (!(error instanceof ReopenWith)) throw prefixEntryName(entry.name, error)
      throw new ReopenWith(toSource(archive, members.with(i, { ...members[i]!, source: error.source }), skipped))
    } finally {
      source.releaseCaches?.()
    }
    table += source.tables.length
    bytesBefore += entry.size
  }
}

const USUAL_RATIO = 5

export const openGzip = (file: FileBytes, open: OpenFile): Promise<Source> => {
  const entryInfo = { packedSize: file.size, diskBudget: { bytes: MAX_NESTED_WORKBOOK_BYTES } }
  return open(
    createStreamedBytes(
      file.name.replace(/\.gz$/i, ''),
      file.size * USUAL_RATIO,
      () => openGunzipStream(file),
      entryInfo,
    ),
  )
}

async function openGunzipStream(file: FileBytes): Promise<Readable> {
  const packedStream = await file.stream()
  const gunzip = createGunzip()
  let bytes = 0
  const limiter = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      done(checkUnpackedSize(bytes, gunzip.bytesWritten), chunk)
    },
  })
  pipeline(packedStream, gunzip, limiter, () => {})
  return Readable.from(translateGzipErrors(limiter), { objectMode: false })
}

async function* translateGzipErrors(unpacked: Readable): AsyncGenerator<Buffer> {
  try {
    yield* unpacked as AsyncIterable<Buffer>
  } catch (error) {
    const { code, message: problem } = error as Error & { code?: string }
    throw code?.startsWith('Z_') ? unprocessable(message('files.gzipDamaged', { problem })) : error
  } finally {
    unpacked.destroy()
  }
}

function checkUnpackedSize(bytes: number, packedBytes: number): Error | null {
  if (bytes > MAX_ENTRY_BYTES) return unprocessable(message('files.archiveTooLarge', { count: MAX_ENTRY_BYTES }))
  if (bytes > UNCHECKED_RATIO_BYTES && bytes > packedBytes * MAX_COMPRESSION_RATIO)
    return unprocessable(message('files.gzipBomb', { count: bytes, ratio: MAX_COMPRESSION_RATIO }))
  return null
}
