/** Writes records as JSON, either lists of objects by field key or JSON lines. */
import { toSheetRef } from '../../commits/sheet-ref.ts'
import {
  copyRange,
  createMemberStarts,
  createObjectEnd,
  createSnippet,
  type ObjectMarks,
  type RowFormat,
  streamObjectsInThreads,
  writeSnippet,
  writeString,
} from '../../records/index.ts'
import { PIECE_BYTES } from './compression.ts'
import { makeUnique } from './names.ts'
import {
  type ExportedSheet,
  findLargeRange,
  MESSAGES_HEADER,
  type RowsOptions,
  reportLines,
  streamExportRows,
} from './rows.ts'

export async function* writeJson(sheets: readonly ExportedSheet[], options: RowsOptions): AsyncGenerator<Buffer> {
  const names = makeUniqueNames(sheets)
  if (sheets.length > 1) yield Buffer.from('{')
  for (const [i, sheet] of sheets.entries()) {
    if (sheets.length > 1) yield Buffer.from(`${i > 0 ? ',' : ''}\n${JSON.stringify(names[i])}:`)
    yield Buffer.from('[')
    let isFirst = true
    for await (const objects of streamObjects(sheet, LIST, options)) {
      yield isFirst ? objects.subarray(1) : objects
      isFirst = false
    }
    yield Buffer.from('\n]')
  }
  yield Buffer.from(sheets.length > 1 ? '\n}\n' : '\n')
}

export const writeJsonLines = (sheet: ExportedSheet, options: RowsOptions): AsyncGenerator<Buffer> =>
  streamObjects(sheet, LINES, options)

const LINES: ObjectMarks = { before: '', after: '\n' }
const LIST: ObjectMarks = { before: ',\n', after: '' }

async function* streamObjects(
  exported: ExportedSheet,
  marks: ObjectMarks,
  options: RowsOptions,
): AsyncGenerator<Buffer> {
  const { messages, bufferBytes = PIECE_BYTES, onRows } = options
  const range = messages ? undefined : await findLargeRange(exported)
  if (!range) return yield* streamExportRows(exported, createRowFormat(exported, marks, messages), options)
  const sheet = toSheetRef(exported.sheet)
  const fields = exported.fields.map(({ key }) => key)
  yield* reportLines(streamObjectsInThreads(sheet, { ...range, fields }, { ...marks, bufferBytes }), onRows)
}

const NULL = createSnippet('null')

function createRowFormat({ fields }: ExportedSheet, marks: ObjectMarks, messages: boolean): RowFormat {
  const keys = fields.map(({ key }) => key)
  const messagesKey = makeUnique(new Set(keys), MESSAGES_HEADER)
  const starts = createMemberStarts(messages ? [...keys, messagesKey] : keys, marks)
  const end = createObjectEnd(marks, starts.length > 0)
  return {
    writeRow(out, cells, _, text) {
      for (let c = 0; c < cells.length; c++) {
        writeSnippet(out, starts[c]!)
        const { bytes, from, to } = cells[c]!
        if (from === to) writeSnippet(out, NULL)
        else copyRange(out, bytes, from, to)
      }
      if (messages) {
        writeSnippet(out, starts[cells.length]!)
        writeString(out, text === '' ? 'null' : JSON.stringify(text))
      }
      writeSnippet(out, end)
    },
  }
}

function makeUniqueNames(sheets: readonly ExportedSheet[]): string[] {
  const usedNames = new Set<string>()
  return sheets.map(({ sheet: { name } }) => {
    const unique = makeUnique(usedNames, name)
    usedNames.add(unique)
    return unique
  })
}
