/** Results go to stdout, as a table for people or as JSON for programs; progress and errors go to stderr. */
import { styleText } from 'node:util'

export interface OutputOptions {
  json?: boolean
}

type Row = Record<string, unknown>

const MAX_CELL_WIDTH = 60

const formatCell = (value: unknown): string => {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const line = text.replace(/\s+/g, ' ')
  return line.length > MAX_CELL_WIDTH ? `${line.slice(0, MAX_CELL_WIDTH - 1)}…` : line
}

export function printRows(rows: readonly Row[], { json }: OutputOptions, empty = 'Nothing found.'): void {
  if (json) printJson(rows)
  else if (rows.length === 0) console.error(empty)
  else printTable(rows)
}

function printTable(rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap(Object.keys))]
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column])))
  const widths = columns.map((column, index) => Math.max(column.length, ...cells.map((row) => row[index]!.length)))
  const formatLine = (row: readonly string[]) =>
    row
      .map((cell, index) => cell.padEnd(widths[index]!))
      .join('  ')
      .trimEnd()
  console.log(process.stdout.isTTY ? styleText('bold', formatLine(columns)) : formatLine(columns))
  for (const row of cells) console.log(formatLine(row))
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2))

/** One line each, so that the output of a command that runs on can be piped. */
export const printJsonLine = (value: unknown): void => console.log(JSON.stringify(value))

const BAR_WIDTH = 24
const CLEAR_LINE = '\r\u001b[2K'

export interface ProgressBar {
  update(label: string, percent: number): void
  end(): void
}

/** Draws on a terminal only, so that logs stay readable. */
export function createProgressBar(): ProgressBar {
  const isTerminal = process.stderr.isTTY
  let label = ''
  return {
    update(next, percent) {
      if (!isTerminal) {
        if (next !== label) console.error(`${next} ...`)
      } else {
        const filled = Math.round((BAR_WIDTH * percent) / 100)
        const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
        process.stderr.write(`${CLEAR_LINE}${next.padEnd(8)} ${bar} ${Math.round(percent)} %`)
      }
      label = next
    },
    end() {
      if (isTerminal && label !== '') process.stderr.write(CLEAR_LINE)
    },
  }
}
