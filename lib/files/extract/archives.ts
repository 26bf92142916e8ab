/** Archives of files: each entry that holds a table becomes a sheet, or as many as it has tables. */
import { pipeline, Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ENTRY_BYTES, NESTED_BYTES, RATIO_FROM_BYTES, TABLES_PER_FILE, UNPACKED_RATIO } from '../../../schemas/files.ts'
import { ApiError, unprocessable } from '../../core/errors.ts'
import { EXTRACTED, extensionOf } from '../names.ts'
import { type FileBytes, streamedBytes } from './bytes.ts'
import { Relearn, type Source, type Table } from './source.ts'
import type { Archive, Entry } from './zip/archive.ts'

type Open = (file: FileBytes) => Promise<Source>

/** What programs leave in archives beside the files. */
const isClutter = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/.test(name)

/** @throws ApiError unprocessable, with the entry's name, for one that cannot be read */
export async function openFolder(archive: Archive, open: Open): Promise<Source> {
  const all = [...archive.entries.values()].filter(({ name }) => !isClutter(name))
  const read = all.filter(({ name }) => EXTRACTED.has(extensionOf(name)))
  const leftOut = all.filter((entry) => !read.includes(entry)).map(({ name }) => name)
  if (read.length === 0)
    throw unprocessable(
      leftOut.length > 0
        ? `The archive has no entry that is a table: ${leftOut.slice(0, 5).join(', ')}.`
        : 'The archive has no entries.',
    )
  // Each has a table at least: none of them needs to be opened to know.
  if (read.length > TABLES_PER_FILE) throw tooManyTables()
  const names = namesOf(read)
  const members: Member[] = []
  try {
    await openMembers(read, names, open, members)
    return sourceOf(archive, members, leftOut)
  } catch (error) {
    await closeAll(members)
    throw error
  }
}

async function openMembers(
  entries: readonly Entry[],
  names: readonly string[],
  open: Open,
  members: Member[],
): Promise<void> {
  const room = { bytes: NESTED_BYTES }
  let tables = 0
  for (const [i, entry] of entries.entries()) {
    const { packedSize } = entry
    const bytes = streamedBytes(entry.name, entry.size, entry.stream, { packedSize, room })
    const source = await open(bytes).catch((error: unknown) => {
      throw inEntry(entry.name, error)
    })
    members.push({ entry, name: names[i]!, source })
    source.rest?.()
    tables += source.tables.length
    if (tables > TABLES_PER_FILE) throw tooManyTables()
  }
}

const tooManyTables = (): ApiError =>
  unprocessable(`The archive has more than ${TABLES_PER_FILE} tables; at most that many become sheets.`)

const closeAll = async (members: readonly Member[]): Promise<void> => {
  for (const { source } of members) await source.close?.()
}

interface Member {
  entry: Entry
  /** What its sheet is called. */
  name: string
  source: Source
}

/** Names of files without folders and extensions; with them where two would be alike. */
function namesOf(entries: readonly Entry[]): string[] {
  const short = entries.map(({ name }) => name.slice(name.lastIndexOf('/') + 1).replace(/(.)\.[^.]+$/, '$1'))
  return entries.map(({ name }, i) => (short.filter((one) => one === short[i]).length > 1 ? name : short[i]!))
}

function inEntry(name: string, error: unknown): unknown {
  return error instanceof ApiError ? unprocessable(`${name}: ${error.message}`) : error
}

const sourceOf = (archive: Archive, members: readonly Member[], leftOut: readonly string[]): Source => ({
  tables: members.flatMap(({ name, source }): Table[] =>
    source.tables.map((table) => ({ ...table, name: table.name === undefined ? name : `${name} ${table.name}` })),
  ),
  leftOut,
  parts: () => partsOf(archive, members, leftOut),
  close: async () => {
    await closeAll(members)
    archive.close()
  },
})

async function* partsOf(
  archive: Archive,
  members: readonly Member[],
  leftOut: readonly string[],
): ReturnType<Source['parts']> {
  const bytes = members.reduce((sum, { entry }) => sum + entry.size, 0)
  let table = 0
  let before = 0
  for (const [i, { entry, source }] of members.entries()) {
    try {
      for await (const part of source.parts())
        yield { ...part, table: table + part.table, done: (before + part.done * entry.size) / Math.max(1, bytes) }
    } catch (error) {
      if (!(error instanceof Relearn)) throw inEntry(entry.name, error)
      throw new Relearn(sourceOf(archive, members.with(i, { ...members[i]!, source: error.source }), leftOut))
    } finally {
      source.rest?.()
    }
    table += source.tables.length
    before += entry.size
  }
}

/** Text and such packs to about this much. */
const USUAL_RATIO = 5

/** One packed file. @throws, also while it is read, ApiError for what cannot be unpacked */
export const openGzip = (file: FileBytes, open: Open): Promise<Source> => {
  const within = { packedSize: file.size, room: { bytes: NESTED_BYTES } }
  return open(streamedBytes(file.name.replace(/\.gz$/i, ''), file.size * USUAL_RATIO, () => gunzipped(file), within))
}

async function gunzipped(file: FileBytes): Promise<Readable> {
  const packed = await file.stream()
  const gunzip = createGunzip()
  let bytes = 0
  const checked = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      done(refusal(bytes, gunzip.bytesWritten), chunk)
    },
  })
  pipeline(packed, gunzip, checked, () => {})
  return Readable.from(withNamedErrors(checked), { objectMode: false })
}

async function* withNamedErrors(unpacked: Readable): AsyncGenerator<Buffer> {
  try {
    yield* unpacked as AsyncIterable<Buffer>
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    throw code?.startsWith('Z_') ? unprocessable(`The gzip archive is damaged: ${message}.`) : error
  } finally {
    unpacked.destroy()
  }
}

function refusal(bytes: number, packedBytes: number): Error | null {
  if (bytes > ENTRY_BYTES) return unprocessable(`The archive unpacks to more than ${ENTRY_BYTES} bytes.`)
  if (bytes > RATIO_FROM_BYTES && bytes > packedBytes * UNPACKED_RATIO)
    return unprocessable(
      `After ${bytes} bytes the archive has unpacked to more than ${UNPACKED_RATIO} times its size, as a bomb does: it is not read on.`,
    )
  return null
}
