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

export const openWorkbook = async (archive: Archive, options: WorkbookOptions = {}): Promise<Source> =>
  openTables(new WorkbookReader(archive, await readWorkbook(archive)), options)

class WorkbookReader implements SheetList {
  readonly sheets: SheetList['sheets']
  readonly #archive: Archive
  readonly #workbook: Workbook
  #formats: Promise<readonly Format[]> | undefined
  #strings: SharedStrings | undefined

  constructor(archive: Archive, workbook: Workbook) {
    this.#archive = archive
    this.#workbook = workbook
    this.sheets = workbook.sheets.map((part) => ({
      ...{ name: part.name, hidden: part.hidden, size: part.entry.size },
      read: (row) => this.#read(part.entry, row),
      readMergedRanges: () => readMergedRanges(part),
    }))
  }

  async *#read(entry: Entry, row: Row): AsyncGenerator<number> {
    const context = await this.#context()
    yield* parseEntry(entry, createSheetHandler(context, row))
  }

  async #context(): Promise<CellContext> {
    const { is1904, styles, sharedStrings } = this.#workbook
    this.#formats ??= readFormats(styles)
    const formats = await this.#formats
    this.#strings ??= await readSharedStrings(sharedStrings)
    return { formats, strings: this.#strings, is1904 }
  }

  releaseCaches(): void {
    this.#strings?.close()
    this.#strings = undefined
    this.#archive.releaseCaches()
  }
}
