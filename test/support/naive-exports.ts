export interface NaiveTable {
  name: string
  keys: readonly string[]
  header: readonly string[]
  types: readonly string[]
  rows: readonly (readonly unknown[])[]
}

export const encodeNaively = (table: NaiveTable) => ({
  json: encodeJson(table),
  jsonl: encodeObjects(table)
    .map((object) => `${object}\n`)
    .join(''),
  xlsx: encodeSheetXml(table),
  csv: encodeCsv(table, false),
  guardedCsv: encodeCsv(table, true),
})

const encodeObjects = ({ keys, rows }: NaiveTable): string[] =>
  rows.map((row) => `{${row.map((value, i) => `${JSON.stringify(keys[i])}:${JSON.stringify(value)}`).join(',')}}`)

function encodeJson(table: NaiveTable): string {
  const objects = encodeObjects(table)
  return `[${objects.length > 0 ? '\n' : ''}${objects.join(',\n')}\n]\n`
}

const toText = (value: unknown): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

function encodeCsv({ header, rows }: NaiveTable, guarded: boolean): string {
  const isNumber = (text: string): boolean => /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)
  const guard = (text: string): string =>
    (/^'*[=+\-@\t\r\n]/.test(text) && !isNumber(text) ? `'${text}` : text).replace(
      /(?<=[;\t\r\n])(?=['"]*[=+\-@])[^;\t\r\n]*/g,
      (piece) => (isNumber(piece) ? piece : `'${piece}`),
    )
  const encode = (value: unknown): string => {
    const text = guarded && typeof value !== 'number' ? guard(toText(value)) : toText(value)
    return /[",\r\n]|[;\t]'/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const lines = [header, ...rows].map((row, i) => {
    const line = row.map(encode).join(',')
    return line === '' && i > 0 ? '""' : line
  })
  return lines.map((line) => `${line}\r\n`).join('')
}

function encodeSheetXml({ header, types, rows }: NaiveTable): string {
  const sample = [header, ...rows.slice(0, 100)]
  const cols = header.map((_, c) => {
    const width = Math.min(60, Math.max(8, 2 + Math.max(...sample.map((row) => toText(row[c]).length))))
    return `<col min="${c + 1}" max="${c + 1}" width="${width}" customWidth="1"/>`
  })
  const data = [
    encodeRow(header, 1, (text, ref) => encodeText(ref, text, ' s="2"')),
    ...rows.map((row, i) => encodeRow(row, i + 2, (value, ref, c) => encodeCell(ref, value, types[c]))),
  ]
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>' +
    '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    `</sheetView></sheetViews>${cols.length > 0 ? `<cols>${cols.join('')}</cols>` : ''}` +
    `<sheetData>${data.join('')}</sheetData></worksheet>`
  )
}

function encodeRow<T>(row: readonly T[], number: number, encode: (value: T, ref: string, column: number) => string) {
  const cells = row.map((value, c) =>
    value === null || value === '' ? '' : encode(value, `${String.fromCharCode(65 + c)}${number}`, c),
  )
  return `<row r="${number}">${cells.join('')}</row>`
}

function encodeCell(ref: string, value: unknown, type: string | undefined): string {
  if (typeof value === 'number') return `<c r="${ref}"><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c r="${ref}" t="b"><v>${value ? 1 : 0}</v></c>`
  const text = toText(value)
  if (type === 'date' && text >= '1900-03-01' && isDate(text))
    return `<c r="${ref}" s="1"><v>${(Date.parse(text) - Date.UTC(1899, 11, 30)) / 86_400_000}</v></c>`
  return encodeText(ref, text, '')
}

export const encodeOdsRows = ({ types, rows }: NaiveTable): string =>
  rows
    .map(
      (row) => `<table:table-row>${row.map((value, c) => encodeOdsCell(value, types[c])).join('')}</table:table-row>`,
    )
    .join('')

function encodeOdsCell(value: unknown, type: string | undefined): string {
  const encode = (attributes: string, paragraphs: string): string =>
    `<table:table-cell${attributes}>${paragraphs}</table:table-cell>`
  if (value === null || value === '') return '<table:table-cell/>'
  const text = toText(value)
  if (typeof value === 'number') return encode(` office:value-type="float" office:value="${text}"`, encodeLine(text))
  if (typeof value === 'boolean')
    return encode(` office:value-type="boolean" office:boolean-value="${text}"`, encodeLine(text))
  if (type === 'date' && text >= '1582-10-15' && isDate(text))
    return encode(` table:style-name="date" office:value-type="date" office:date-value="${text}"`, encodeLine(text))
  return encode(' office:value-type="string"', text.split('\n').map(encodeLine).join(''))
}

const encodeLine = (line: string): string =>
  `<text:p>${line
    .replace(/(?!\t)\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"]/g, escapeCharacter)
    .replace(/\t/g, '<text:tab/>')
    .replace(/^ +| +$| {2,}/g, (spaces) => `<text:s text:c="${spaces.length}"/>`)}</text:p>`

const escapeCharacter = (character: string): string =>
  ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? character

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function encodeText(ref: string, text: string, style: string): string {
  const space = /^\s|\s$|[\t\n]| {2}/.test(text) ? ' xml:space="preserve"' : ''
  let escaped = ''
  for (const [i, character] of [...text].entries()) {
    const code = character.charCodeAt(0)
    const isInvalid =
      (/\p{Cc}/u.test(character) && !'\t\n'.includes(character)) || /[\p{Surrogate}\ufffe\uffff]/u.test(character)
    const startsEscape = character === '_' && /^_x[0-9A-Fa-f]{4}_/.test([...text].slice(i).join(''))
    if (isInvalid) escaped += `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`
    else if (startsEscape) escaped += '_x005F_'
    else escaped += escapeCharacter(character)
  }
  return `<c r="${ref}"${style} t="inlineStr"><is><t${space}>${escaped}</t></is></c>`
}
