/** Reads workbooks of Excel 97 to 2003 (XLS, BIFF8). */
import { MAX_ENTRIES_PER_ARCHIVE, MAX_XLS_BYTES } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { FileBytes } from '../bytes.ts'
import type { Source } from '../source.ts'
import { createPasswordError } from '../workbook/password.ts'
import type { MergedRange, Row, SheetList } from '../workbook/sheet.ts'
import { openTables, type WorkbookOptions } from '../workbook/tables.ts'
import { type Format, resolveFormat } from '../xlsx/dates.ts'
import { SharedStrings } from '../xlsx/strings.ts'
import { type CompoundFile, type CompoundStream, openCompoundFile } from './compound.ts'
import { parseRecords, RECORDS, type RecordHandler } from './records.ts'
import { MergedHandler, SheetHandler } from './sheet.ts'
import { TextReader } from './texts.ts'

interface XlsOptions extends WorkbookOptions {
  isNested?: boolean
}

export async function openXls(file: FileBytes, options: XlsOptions): Promise<Source> {
  if (file.size > MAX_XLS_BYTES) throw unprocessable(message('files.xlsTooLarge', { count: MAX_XLS_BYTES }))
  const compound = await openCompoundFile(file)
  const { streams } = compound
  const stream = streams.get('Workbook')
  if (streams.has('EncryptedPackage')) throw createPasswordError(options.isNested)
  if (!stream && streams.has('Book')) throw unprocessable(message('files.oldWorkbook'))
  if (!stream) throw unprocessable(message('files.workbookPartMissing', { part: 'Workbook' }))
  const globals = new Globals(options.isNested)
  for await (const _ of parseRecords(stream, 0, globals));
  return openTables(new XlsReader(compound, stream, globals), options)
}

const BIFF8 = 0x0600
const HIDDEN = 3

interface SheetInfo {
  name: string
  hidden: boolean
  from: number
}

class Globals implements RecordHandler {
  readonly sheets: SheetInfo[] = []
  is1904 = false
  sharedTexts: Buffer[] = []
  readonly #codes = new Map<number, string>()
  readonly #formatIds: number[] = []
  #isSharedTexts = false
  readonly #isNested: boolean | undefined

  constructor(isNested: boolean | undefined) {
    this.#isNested = isNested
  }

  record(type: number, body: Buffer): void {
    if (type !== RECORDS.continuation) this.#isSharedTexts = type === RECORDS.sharedTexts
    if (this.#isSharedTexts) this.sharedTexts.push(body)
    else if (type === RECORDS.start && body.readUInt16LE(0) !== BIFF8) throw unprocessable(message('files.oldWorkbook'))
    else if (type === RECORDS.password) throw createPasswordError(this.#isNested)
    else if (type === RECORDS.dateMode) this.is1904 = body.readUInt16LE(0) === 1
    else if (type === RECORDS.numberFormat) this.#codes.set(body.readUInt16LE(0), new TextReader([body], 2).readText())
    else if (type === RECORDS.cellFormat) this.#formatIds.push(body.readUInt16LE(2))
    else if (type === RECORDS.sheet && body[5] === 0) this.#addSheet(body)
  }

  #addSheet(body: Buffer): void {
    const from = body.readUInt32LE(0)
    const name = new TextReader([body], 6).readText(1)
    if (this.sheets.some((sheet) => sheet.from === from))
      throw unprocessable(message('files.sheetShared', { sheet: name }))
    this.sheets.push({ name, hidden: (body[4]! & HIDDEN) !== 0, from })
    if (this.sheets.length > MAX_ENTRIES_PER_ARCHIVE)
      throw unprocessable(message('files.tooManySheets', { count: MAX_ENTRIES_PER_ARCHIVE }))
  }

  resolveFormats(): Format[] {
    const resolved = new Map<number, Format>()
    return this.#formatIds.map((id) => {
      const format = resolved.get(id) ?? resolveFormat(id, this.#codes.get(id))
      resolved.set(id, format)
      return format
    })
  }
}

class XlsReader implements SheetList {
  readonly sheets: SheetList['sheets']
  readonly #compound: CompoundFile
  readonly #stream: CompoundStream
  readonly #globals: Globals
  readonly #formats: readonly Format[]
  #strings: SharedStrings | undefined

  constructor(compound: CompoundFile, stream: CompoundStream, globals: Globals) {
    this.#compound = compound
    this.#stream = stream
    this.#globals = globals
    this.#formats = globals.resolveFormats()
    const ends = [...globals.sheets.map(({ from }) => from), stream.size].sort((a, b) => a - b)
    this.sheets = globals.sheets.map(({ name, hidden, from }) => ({
      ...{ name, hidden, size: Math.max(1, ends.find((end) => end > from)! - from) },
      read: (row) => this.#read(from, row),
      readMergedRanges: () => this.#readMergedRanges(from),
    }))
  }

  async *#read(from: number, row: Row): AsyncGenerator<number> {
    const { is1904 } = this.#globals
    this.#strings ??= this.#readSharedTexts()
    yield* parseRecords(
      this.#stream,
      from,
      new SheetHandler({ strings: this.#strings, formats: this.#formats, is1904 }, row),
    )
  }

  async *#readMergedRanges(from: number): AsyncGenerator<MergedRange> {
    const handler = new MergedHandler()
    for await (const _ of parseRecords(this.#stream, from, handler)) yield* handler.ranges.splice(0)
    yield* handler.ranges
  }

  #readSharedTexts(): SharedStrings {
    const strings = new SharedStrings()
    try {
      if (this.#globals.sharedTexts.length > 0) new TextReader(this.#globals.sharedTexts).readSharedTexts(strings)
    } catch (error) {
      strings.close()
      throw error instanceof RangeError ? unprocessable(message('files.sharedTextsDamaged')) : error
    }
    strings.end()
    return strings
  }

  releaseCaches(): void {
    this.#strings?.close()
    this.#strings = undefined
    this.#compound.releaseCaches()
  }
}
