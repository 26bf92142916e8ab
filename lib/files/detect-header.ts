/** Which of the first rows of a table names its columns, by the rules extraction goes by, or as somebody tells. Pure. */
import type { HeaderDetection } from '../../schemas/files.ts'
import { invalidField } from '../core/errors.ts'
import { columnNames } from './extract/columns.ts'
import { lettersOf } from './letters.ts'
import { headerOf } from './sniff/header.ts'

export interface DetectedHeader {
  header: string[]
  /** Rows up to it and with it. */
  headerRow: number
  letters: string[]
}

/** @throws ApiError invalid when the algorithm lacks what it needs */
export function detectHeader(options: HeaderDetection, data: readonly string[][]): DetectedHeader {
  const rows = data.slice(0, options.rowsToSearch)
  const { header, headerRow } = headerBy(options, rows)
  return { header, headerRow, letters: header.map((_, column) => lettersOf(column)) }
}

function headerBy(options: HeaderDetection, rows: readonly string[][]): Omit<DetectedHeader, 'letters'> {
  const { algorithm, headers, rowNumbers, skip } = options
  switch (algorithm) {
    case 'explicitHeaders':
      if (!headers) throw invalidField('options.headers', 'is required for explicitHeaders')
      return { header: headers, headerRow: skip ?? 0 }
    case 'specificRows': {
      if (!rowNumbers) throw invalidField('options.rowNumbers', 'is required for specificRows')
      const beyond = rowNumbers.find((row) => row >= rows.length)
      if (beyond !== undefined) throw invalidField('options.rowNumbers', `there is no row ${beyond} in the data`)
      return { header: together(rowNumbers.map((row) => rows[row]!)), headerRow: skip ?? Math.max(...rowNumbers) + 1 }
    }
    default:
      return found(rows, algorithm === 'dataRowAndSubHeaderDetection')
  }
}

/** @param all the rows above the data belong together: titles of several columns and the columns' own */
function found(rows: readonly string[][], all: boolean): Omit<DetectedHeader, 'letters'> {
  const { header, headerRow, width, rowsBefore } = headerOf(rows.map((cells) => ({ cells, end: 0 })))
  // A table without names gets those its sheet would have.
  if (!header) return { header: columnNames([], width), headerRow: rowsBefore }
  const filled = rows.slice(0, headerRow).filter((row) => row.filter((cell) => cell.trim() !== '').length > 1)
  return { header: all && filled.length > 1 ? together(filled) : [...header], headerRow }
}

/** Names of several rows, column by column. */
const together = (rows: readonly string[][]): string[] =>
  Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, column) =>
    rows
      .map((row) => row[column]?.trim() ?? '')
      .filter((name) => name !== '')
      .join(' '),
  )
