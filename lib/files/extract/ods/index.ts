/** Reads OpenDocument spreadsheets (ODS). All sheets are in one part, so they are read in one pass if in order. */

import { MAX_MERGED_CELLS, MAX_REPEATED_CELL_BYTES } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../../schemas/sheets/shape.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { Source } from '../source.ts'
import { createPasswordError } from '../workbook/password.ts'
import type { MergedRange, Row, SheetList } from '../workbook/sheet.ts'
import { openTables, type WorkbookOptions } from '../workbook/tables.ts'
import { localName } from '../xml.ts'
import type { Archive, Entry } from '../zip/archive.ts'
import { parseEntry, parsePart, readPart } from '../zip/parse-entry.ts'
import { createOdsHandler, type OdsRow, type OdsTable } from './handler.ts'

const BYTES_PER_STEP = 16 * 1024

export const isOpenDocument = ({ entries }: Archive): boolean =>
  entries.has('mimetype') && (entries.has('content.xml') || entries.has('encrypted-package'))

interface OdsOptions extends WorkbookOptions {
  isNested?: boolean
}

export async function openOds(archive: Archive, options: OdsOptions): Promise<Source> {
  await assertNotEncrypted(archive, options)
  const content = archive.entries.get('content.xml')
  if (!content) throw unprocessable(message('files.workbookPartMissing', { part: 'content.xml' }))
  return openTables(new OdsReader(archive, content, await listTables(content)), options)
}

async function assertNotEncrypted({ entries }: Archive, { isNested }: OdsOptions): Promise<void> {
  const manifest = entries.get('META-INF/manifest.xml')
  if (!manifest) return
  const open = (qualified: string) => {
    if (localName(qualified) === 'encryption-data') throw createPasswordError(isNested)
  }
  await readPart(manifest, { open, close: () => {}, text: () => {} })
}

interface FoundTable extends OdsTable {
  from: number
  to: number
  merged: MergedRange[]
}

async function listTables(content: Entry): Promise<FoundTable[]> {
  const tables: FoundTable[] = []
  let bytesDone = 0
  let merged = 0
  const handler = createOdsHandler({
    table: (table) => void tables.push({ ...table, from: bytesDone, to: content.size, merged: [] }),
    endTable: () => {
      tables.at(-1)!.to = bytesDone
    },
    merged: (range) => {
      if (++merged <= MAX_MERGED_CELLS) tables.at(-1)!.merged.push(range)
    },
  })
  for await (const done of parsePart(content, handler)) bytesDone = done
  return tables
}

class OdsReader implements SheetList {
  readonly sheets: SheetList['sheets']
  readonly #archive: Archive
  readonly #content: Entry
  #cursor: Cursor | undefined

  constructor(archive: Archive, content: Entry, tables: readonly FoundTable[]) {
    this.#archive = archive
    this.#content = content
    this.sheets = tables.map(({ name, hidden, from, to, merged }, table) => ({
      ...{ name, hidden, size: to - from + 1 },
      read: (row) => this.#read(table, from, row),
      readMergedRanges: () => toAsync(merged),
    }))
  }

  async *#read(table: number, from: number, row: Row): AsyncGenerator<number> {
    if (!this.#cursor || this.#cursor.table >= table) {
      await this.#cursor?.close()
      this.#cursor = new Cursor(this.#content)
    }
    for await (const bytesDone of this.#cursor.read(table, row)) yield Math.max(0, bytesDone - from)
  }

  releaseCaches(): void {
    void this.#cursor?.close()
    this.#cursor = undefined
    this.#archive.releaseCaches()
  }
}

async function* toAsync<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

class Cursor {
  table = -1
  readonly #pieces: AsyncGenerator<number>
  #rows: OdsRow[] = []
  #endedTables = 0
  #bytesDone = 0
  #bytesInStep = 0
  #repeatedBytes = 0

  constructor(content: Entry) {
    this.#pieces = this.#parse(content)
  }

  #parse(content: Entry): AsyncGenerator<number> {
    const handler = createOdsHandler({
      endTable: () => void this.#endedTables++,
      row: (row) => {
        if (row.table >= this.table && row.cells.length > 0) this.#rows.push(row)
      },
    })
    return parseEntry(content, handler)
  }

  async *read(table: number, target: Row): AsyncGenerator<number> {
    this.table = table
    for (;;) {
      const later = this.#rows.findIndex((row) => row.table > table)
      const rows = this.#rows.splice(0, later < 0 ? this.#rows.length : later).filter((row) => row.table === table)
      for (const row of rows) yield* this.#writeRow(row, target)
      if (this.#endedTables > table) return
      const { done, value } = await this.#pieces.next()
      if (done) return
      this.#bytesDone = value
      yield value
    }
  }

  *#writeRow({ row, repeat, cells }: OdsRow, target: Row): Generator<number> {
    for (let at = row; at < row + repeat; at++) {
      target.startRow(at)
      let bytes = 0
      for (const cell of cells) {
        const end = Math.max(cell.column + 1, Math.min(cell.column + cell.repeat, MAX_FIELDS_PER_SHEET + 1))
        const copies = end - cell.column - (at === row ? 1 : 0)
        bytes += (end - cell.column) * (cell.text.length + CELL_BYTES)
        if (copies > 0) this.#countRepeated(copies * (cell.text.length + CELL_BYTES))
        for (let column = cell.column; column < end; column++) target.text(column, cell.text)
      }
      target.endRow(at)
      this.#bytesInStep += bytes
      if (this.#bytesInStep < BYTES_PER_STEP) continue
      this.#bytesInStep = 0
      yield this.#bytesDone
    }
  }

  /** One tag can repeat a large text millions of times. */
  #countRepeated(bytes: number): void {
    this.#repeatedBytes += bytes
    if (this.#repeatedBytes > MAX_REPEATED_CELL_BYTES)
      throw unprocessable(message('files.repeatedCellsTooLarge', { count: MAX_REPEATED_CELL_BYTES }))
  }

  async close(): Promise<void> {
    await this.#pieces.return(0)
  }
}

const CELL_BYTES = 8
