/** Writes records as JSON, either lists of objects by field key or JSON lines. */
import { copyRange, createSnippet, type RowFormat, writeSnippet, writeString } from '../../records/index.ts'
import { makeUnique } from './names.ts'
import { type ExportedSheet, MESSAGES_HEADER, type RowsOptions, streamExportRows } from './rows.ts'

export async function* writeJson(sheets: readonly ExportedSheet[], options: RowsOptions): AsyncGenerator<Buffer> {
  const names = makeUniqueNames(sheets)
  if (sheets.length > 1) yield Buffer.from('{')
  for (const [i, sheet] of sheets.entries()) {
    if (sheets.length > 1) yield Buffer.from(`${i > 0 ? ',' : ''}\n${JSON.stringify(names[i])}:`)
    yield Buffer.from('[')
    let isFirst = true
    for await (const objects of streamExportRows(sheet, createObjectFormat(sheet, options, ',\n', ''), options)) {
      yield isFirst ? objects.subarray(1) : objects
      isFirst = false
    }
    yield Buffer.from('\n]')
  }
  yield Buffer.from(sheets.length > 1 ? '\n}\n' : '\n')
}

export const writeJsonLines = (sheet: ExportedSheet, options: RowsOptions): AsyncGenerator<Buffer> =>
  streamExportRows(sheet, createObjectFormat(sheet, options, '', '\n'), options)

const NULL = createSnippet('null')

/** Written member by member, because an object would lose the key `__proto__`. */
function createObjectFormat(
  { fields }: ExportedSheet,
  { messages }: RowsOptions,
  before: string,
  after: string,
): RowFormat {
  const keys = fields.map(({ key }) => key)
  const prefixes = keys.map((key, i) => createSnippet(`${i > 0 ? ',' : `${before}{`}${JSON.stringify(key)}:`))
  const messagesKey = JSON.stringify(makeUnique(new Set(keys), MESSAGES_HEADER))
  const messagesPrefix = `${keys.length > 0 ? ',' : `${before}{`}${messagesKey}:`
  const end = createSnippet(`${keys.length > 0 || messages ? '' : `${before}{`}}${after}`)
  return {
    writeRow(out, cells, _, text) {
      for (let c = 0; c < cells.length; c++) {
        writeSnippet(out, prefixes[c]!)
        const { bytes, from, to } = cells[c]!
        if (from === to) writeSnippet(out, NULL)
        else copyRange(out, bytes, from, to)
      }
      if (messages) writeString(out, `${messagesPrefix}${text === '' ? 'null' : JSON.stringify(text)}`)
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
