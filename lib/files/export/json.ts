/** Records as JSON: lists of objects by field key, or lines of them. */
import { type ExportedSheet, type ExportRow, MESSAGES_HEADER, rowsOf } from './rows.ts'

export interface JsonOptions {
  messages: boolean
  /** Is told of rows as they are written. */
  onRows(count: number): Promise<void>
}

/** One sheet: a list; several: an object of lists by the sheets' names. */
export async function* jsonOf(sheets: readonly ExportedSheet[], options: JsonOptions): AsyncGenerator<Buffer> {
  const names = namesOf(sheets)
  if (sheets.length > 1) yield Buffer.from('{')
  for (const [i, sheet] of sheets.entries()) {
    if (sheets.length > 1) yield Buffer.from(`${i > 0 ? ',' : ''}\n${JSON.stringify(names[i])}:`)
    yield Buffer.from('[')
    let isFirst = true
    for await (const objects of objectsOf(sheet, options)) {
      if (objects.length === 0) continue
      yield Buffer.from(`${isFirst ? '\n' : ',\n'}${objects.join(',\n')}`)
      isFirst = false
    }
    yield Buffer.from('\n]')
  }
  yield Buffer.from(sheets.length > 1 ? '\n}\n' : '\n')
}

export async function* jsonlOf(sheet: ExportedSheet, options: JsonOptions): AsyncGenerator<Buffer> {
  for await (const objects of objectsOf(sheet, options))
    yield Buffer.from(objects.map((object) => `${object}\n`).join(''))
}

async function* objectsOf(sheet: ExportedSheet, { messages, onRows }: JsonOptions): AsyncGenerator<string[]> {
  const keys = sheet.fields.map(({ key }) => key)
  if (messages) keys.push(uniqueIn(new Set(keys), MESSAGES_HEADER))
  const prefixes = keys.map((key) => `${JSON.stringify(key)}:`)
  // Members are written one by one: as an object's key, `__proto__` would be lost.
  const objectOf = (row: ExportRow) => `{${row.map((value, i) => `${prefixes[i]}${JSON.stringify(value)}`).join(',')}}`
  for await (const rows of rowsOf(sheet, messages)) {
    await onRows(rows.length)
    yield rows.map(objectOf)
  }
}

/** Sheets of one name get a number. */
function namesOf(sheets: readonly ExportedSheet[]): string[] {
  const taken = new Set<string>()
  return sheets.map(({ sheet: { name } }) => {
    const unique = uniqueIn(taken, name)
    taken.add(unique)
    return unique
  })
}

/** Of two members of one name, readers keep one. */
function uniqueIn(taken: ReadonlySet<string>, name: string): string {
  let unique = name
  for (let number = 2; taken.has(unique); number++) unique = `${name} ${number}`
  return unique
}
