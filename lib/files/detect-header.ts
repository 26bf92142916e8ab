import type { HeaderDetection } from '../../schemas/files/endpoints.ts'
import { message } from '../../schemas/messages/index.ts'
import { invalidField } from '../core/errors.ts'
import { toColumnLetters } from './column-letters.ts'
import { buildColumnNames } from './extract/columns.ts'
import { detectHeaderRow } from './sniff/header.ts'

export interface DetectedHeader {
  header: string[]
  headerRow: number
  letters: string[]
}

export function detectHeader(options: HeaderDetection, data: readonly string[][]): DetectedHeader {
  const rows = data.slice(0, options.rowsToSearch)
  const { header, headerRow } = applyAlgorithm(options, rows)
  return { header, headerRow, letters: header.map((_, column) => toColumnLetters(column)) }
}

function applyAlgorithm(options: HeaderDetection, rows: readonly string[][]): Omit<DetectedHeader, 'letters'> {
  const { algorithm, headers, rowNumbers, skip } = options
  switch (algorithm) {
    case 'explicitHeaders':
      if (!headers) throw invalidField('options.headers', message('files.requiredForAlgorithm', { algorithm }))
      return { header: headers, headerRow: skip ?? 0 }
    case 'specificRows': {
      if (!rowNumbers) throw invalidField('options.rowNumbers', message('files.requiredForAlgorithm', { algorithm }))
      const missingRow = rowNumbers.find((row) => row >= rows.length)
      if (missingRow !== undefined)
        throw invalidField('options.rowNumbers', message('files.rowNotInData', { row: missingRow }))
      return { header: joinRows(rowNumbers.map((row) => rows[row]!)), headerRow: skip ?? Math.max(...rowNumbers) + 1 }
    }
    default:
      return detectInRows(rows, algorithm === 'dataRowAndSubHeaderDetection')
  }
}

function detectInRows(rows: readonly string[][], joinsAllRows: boolean): Omit<DetectedHeader, 'letters'> {
  const { header, labels, headerRow, width, rowsBefore } = detectHeaderRow(rows.map((cells) => ({ cells, end: 0 })))
  if (!header) return { header: buildColumnNames([], width), headerRow: rowsBefore }
  const filledRows = rows.slice(0, headerRow).filter((row) => row.filter((cell) => cell.trim() !== '').length > 1)
  return { header: joinsAllRows && filledRows.length > 1 ? joinRows(filledRows) : [...(labels ?? header)], headerRow }
}

const joinRows = (rows: readonly string[][]): string[] =>
  Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, column) =>
    rows
      .map((row) => row[column]?.trim() ?? '')
      .filter((name) => name !== '')
      .join(' '),
  )
