/** Writes records as JSON, either lists of objects by field key or JSON lines. */
import { type ExportedSheet, type ExportRow, MESSAGES_HEADER, streamExportRows } from './rows.ts'

export interface JsonOptions {
  messages: boolean
  onRows(count: number): Promise<void>
}

export async function* writeJson(sheets: readonly ExportedSheet[], options: JsonOptions): AsyncGenerator<Buffer> {
  const names = makeUniqueNames(sheets)
  if (sheets.length > 1) yield Buffer.from('{')
  for (const [i, sheet] of sheets.entries()) {
    if (sheets.length > 1) yield Buffer.from(`${i > 0 ? ',' : ''}\n${JSON.stringify(names[i])}:`)
    yield Buffer.from('[')
    let isFirst = true
    for await (const objects of serializeRows(sheet, options)) {
      if (objects.length === 0) continue
      yield Buffer.from(`${isFirst ? '\n' : ',\n'}${objects.join(',\n')}`)
      isFirst = false
    }
    yield Buffer.from('\n]')
  }
  yield Buffer.from(sheets.length > 1 ? '\n}\n' : '\n')
}

export async function* writeJsonLines(sheet: ExportedSheet, options: JsonOptions): AsyncGenerator<Buffer> {
  for await (const objects of serializeRows(sheet, options))
    yield Buffer.from(objects.map((object) => `${object}\n`).join(''))
}

async function* serializeRows(sheet: ExportedSheet, { messages, onRows }: JsonOptions): AsyncGenerator<string[]> {
  const keys = sheet.fields.map(({ key }) => key)
  if (messages) keys.push(makeUnique(new Set(keys), MESSAGES_HEADER))
  const prefixes = keys.map((key) => `${JSON.stringify(key)}:`)
  // Written member by member, because an object would lose the key `__proto__`.
  const serializeRow = (row: ExportRow) =>
    `{${row.map((value, i) => `${prefixes[i]}${JSON.stringify(value)}`).join(',')}}`
  for await (const rows of streamExportRows(sheet, messages)) {
    await onRows(rows.length)
    yield rows.map(serializeRow)
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

function makeUnique(usedNames: ReadonlySet<string>, name: string): string {
  let unique = name
  for (let number = 2; usedNames.has(unique); number++) unique = `${name} ${number}`
  return unique
}
