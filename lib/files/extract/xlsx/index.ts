import type { Source } from '../source.ts'
import type { Row, SheetList } from '../workbook/sheet.ts'
import { openTables, type WorkbookOptions } from '../workbook/tables.ts'
import type { Archive, Entry } from '../zip/archive.ts'
import { parseEntry } from '../zip/parse-entry.ts'
import type { Format } from './dates.ts'
import { readMergedRanges } from './merged.ts'
import { readFormats, readSharedStrings, readWorkbook, type Workbook } from './parts.ts'
import { type CellContext, createSheetHandler } from './sheet.ts'
import type { SharedStrings } from './strings.ts'

interface PartReaders {
  readFormats: typeof readFormats
  readSharedStrings: typeof readSharedStrings
  readMergedRanges: typeof readMergedRanges
  readSheet(entry: Entry, context: CellContext, row: Row): AsyncGenerator<number>
}

const XML_PARTS: PartReaders = {
  readFormats,
  readSharedStrings,
  readMergedRanges,
  readSheet: (entry, context, row) => parseEntry(entry, createSheetHandler(context, row)),
}

export async function openWorkbook(archive: Archive, options: WorkbookOptions = {}): Promise<Source> {
  const workbook = await readWorkbook(archive)
  const parts = workbook.isBinary ? await import('../xlsb/index.ts') : XML_PARTS
  return openTables(new WorkbookReader(archive, workbook, parts), options)
}

class WorkbookReader implements SheetList {
  readonly sheets: SheetList['sheets']
  readonly #archive: Archive
  readonly #workbook: Workbook
  readonly #parts: PartReaders
  #formats: Promise<readonly Format[]> | undefined
  #strings: SharedStrings | undefined

  constructor(archive: Archive, workbook: Workbook, parts: PartReaders) {
    this.#archive = archive
    this.#workbook = workbook
    this.#parts = parts
    this.sheets = workbook.sheets.map((part) => ({
      ...{ name: part.name, hidden: part.hidden, size: part.entry.size },
      read: (row) => this.#read(part.entry, row),
      readMergedRanges: () => parts.readMergedRanges(part),
    }))
  }

  async *#read(entry: Entry, row: Row): AsyncGenerator<number> {
    const context = await this.#context()
    yield* this.#parts.readSheet(entry, context, row)
  }

  async #context(): Promise<CellContext> {
    const { is1904, styles, sharedStrings } = this.#workbook
    this.#formats ??= this.#parts.readFormats(styles)
    const formats = await this.#formats
    this.#strings ??= await this.#parts.readSharedStrings(sharedStrings)
    return { formats, strings: this.#strings, is1904 }
  }

  releaseCaches(): void {
    this.#strings?.close()
    this.#strings = undefined
    this.#archive.releaseCaches()
  }
}
