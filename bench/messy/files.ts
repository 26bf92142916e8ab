/** Messy files and what they mean. Those in `files` were written without knowledge of the reader. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Field } from '../../schemas/sheets/fields.ts'

/** `null` is an empty cell. An unreadable text has to stay as it is, with an error. */
export type Meant = string | number | boolean | null | string[] | { unreadable: string }

export interface MessyFile {
  name: string
  language: string
  bytes: Buffer
  fields: Field[]
  rows: Record<string, Meant>[]
  /** The header of each field's column; none if the file was generated. */
  columns: Record<string, string>
  /** Keys of columns with two possible readings: their cells have to stay as they are, with an error. */
  asked: string[]
}

const FOLDER = new URL('files/', import.meta.url)

export function readMessyFiles(): MessyFile[] {
  const names = readdirSync(FOLDER).sort()
  return names
    .filter((name) => !name.endsWith('.truth.json') && name !== 'README.md')
    .map((name) => {
      const path = new URL(`${name.slice(0, name.lastIndexOf('.'))}.truth.json`, FOLDER)
      const { language, fields, columns, rows, times = [], ask = [] } = JSON.parse(readFileSync(path, 'utf8'))
      return {
        ...{ name, language, fields, columns, asked: ask, bytes: readFileSync(new URL(name, FOLDER)) },
        rows: rows.map((row: Record<string, Meant>) => withoutTimes(row, times)),
      }
    })
}

function withoutTimes(row: Record<string, Meant>, keys: readonly string[]): Record<string, Meant> {
  const days = keys.map((key): [string, Meant] => [
    key,
    typeof row[key] === 'string' ? row[key].slice(0, 10) : row[key]!,
  ])
  return { ...row, ...Object.fromEntries(days) }
}
