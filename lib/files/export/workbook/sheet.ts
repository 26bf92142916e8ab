import { message } from '../../../../schemas/messages/index.ts'
import { type ApiError, unprocessable } from '../../../core/errors.ts'
import type { RowFormat } from '../../../records/index.ts'

export interface WrittenSheet {
  name: string
  header: readonly string[]
  types: readonly string[]
  comments?: boolean
  rows(format: RowFormat): AsyncIterable<Buffer>
}

/** Excel's limit per cell, and per comment. */
export const MAX_CELL_CHARACTERS = 32_767
export const FIRST_ROW = 2

export const toTooLong =
  ({ name, header }: WrittenSheet, row: number, column: number) =>
  (): ApiError =>
    unprocessable(
      message('files.cellTooLong', { sheet: name, row, column: header[column]!, count: MAX_CELL_CHARACTERS }),
    )

/** Excel's rules: at most 31 characters, some characters forbidden, unique ignoring case. */
export function buildSheetNames(names: readonly string[]): string[] {
  const usedNames = new Set<string>()
  return names.map((name) => {
    const base =
      name
        .replace(/[[\]:*?/\\\p{Cc}]/gu, ' ')
        .replace(/^'+|'+$/g, '')
        .trim()
        .slice(0, 31) || 'Sheet'
    let unique = base
    for (let number = 2; usedNames.has(unique.toLowerCase()); number++) unique = `${base.slice(0, 27)} ${number}`
    usedNames.add(unique.toLowerCase())
    return unique
  })
}
