/** The summary of the demo: a table of results and commands to try next. */
import Table from 'cli-table3'
import color from 'picocolors'
import type { Local } from '../../localstack/seed.ts'
import type { MessyImport } from '../movies/import.ts'
import type { Result } from './import.ts'
import type { Counts } from './steps.ts'

const MISSING_NOTE = ': cleared required values are missing now and have to be filled in by a person'

const formatCounts = (counts: Record<string, number> | undefined): string =>
  Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([field, count]) => `${field} ${count}`)
    .join(', ') || 'none'

const countBy = (names: string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

interface Cell {
  fieldKey: string
  previousValue: unknown
  newValue: unknown
}
const isCell = (change: object): change is Cell => 'fieldKey' in change
const countByField = (cells: Cell[]): string => formatCounts(countBy(cells.map(({ fieldKey }) => fieldKey)))

const formatValues = (cells: Cell[]): string =>
  [...new Set(cells.map(({ previousValue }) => String(previousValue)))].join(' or ') || 'nothing'

/**
 * Counts errors per field: the agent replaces invalid values by missing ones, which counting valid records would hide.
 */
const formatErrors = ({ error, errorsByField }: Counts): string => {
  const errors = Object.values(errorsByField ?? {}).reduce((sum, count) => sum + count, 0)
  return `${errors} in ${error} records  (${formatCounts(errorsByField)})`
}

const formatColumn = ({ destinationField, converted, examples }: MessyImport['columns'][number]): string =>
  `${destinationField} ${converted}  (${examples.map(({ before, after }) => `${before} → ${after}`).join(', ')})`

export function formatReport(local: Local, result: Result, keepsRunning: boolean): string {
  const { before, after, events, runs, seconds, messy } = result
  const correctedCells: Cell[] = events.flatMap(({ payload }) => payload.changes?.filter(isCell) ?? [])
  const clearedCells = correctedCells.filter(({ newValue }) => newValue === null)
  const { asWritten, asMeant, edited, columns } = messy
  const table = new Table({ style: { head: [], border: [] }, wordWrap: true, colWidths: [26, 74] })
  table.push(
    ['Rows', `${after.total}`],
    ['Errors before the agent', formatErrors(before)],
    ['Corrected by the agent', `${correctedCells.length} cells  (${countByField(correctedCells)})`],
    [
      'Cleared by the agent',
      `${clearedCells.length} with the value ${formatValues(clearedCells)}  (${countByField(clearedCells)})`,
    ],
    ['Errors after the agent', color.green(`${formatErrors(after)}${clearedCells.length > 0 ? MISSING_NOTE : ''}`)],
    ['Events', `${events.length}  (${formatCounts(countBy(events.map(({ topic }) => topic)))})`],
    [
      'Agent runs',
      `${runs.length}, ${runs.filter((run) => run.success).length} successful, ${runs.map((run) => `${run.duration} ms`).join(', ')}`,
    ],
    ['Messy file, as written', color.red(`${asWritten.error} of ${asWritten.total} records with errors`)],
    [
      'Messy file, imported',
      color.green(`${asMeant.error} of ${asMeant.total} records with errors  (${formatCounts(asMeant.errorsByField)})`),
    ],
    [
      'One group edited',
      color.green(`${edited.error} of ${edited.total} records with errors  (${formatCounts(edited.errorsByField)})`),
    ],
    [
      'Read as meant',
      columns
        .filter(({ converted }) => converted > 0)
        .map(formatColumn)
        .join('\n'),
    ],
    [
      'Seconds',
      Object.entries(seconds)
        .map(([step, duration]) => `${step} ${duration.toFixed(2)}`)
        .join(', '),
    ],
  )
  const key = local.environments.find(({ isProd }) => !isProd)!.secretKey
  const start = keepsRunning ? '' : '\n  npm start\n\nthen, in another terminal:\n'
  return `
${table.toString()}

Try next:
${start}
  curl -s "${local.baseUrl}/v1/sheets/${result.sheetId}/records?filter=error&pageSize=3" -H "Authorization: Bearer ${key}"
  curl -s "${local.baseUrl}/v1/events?spaceId=${result.spaceId}&pageSize=5" -H "Authorization: Bearer ${key}"
`
}
