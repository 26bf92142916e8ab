/** What happened, as a table, and what to try next. */
import Table from 'cli-table3'
import color from 'picocolors'
import type { Local } from '../seed.ts'
import type { Counts, Result } from './import.ts'

const MISSING = ': a required value that was cleared is missing now, and only a person knows it'

const listed = (counts: Record<string, number> | undefined): string =>
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
const byField = (cells: Cell[]): string => listed(countBy(cells.map(({ fieldKey }) => fieldKey)))

const texts = (cells: Cell[]): string =>
  [...new Set(cells.map(({ previousValue }) => String(previousValue)))].join(' or ') || 'nothing'

/** Valid records alone would hide what the agent does: a value that says nothing becomes one that is missing. */
const errorsIn = ({ error, errorsByField }: Counts): string => {
  const errors = Object.values(errorsByField ?? {}).reduce((sum, count) => sum + count, 0)
  return `${errors} in ${error} records  (${listed(errorsByField)})`
}

export function report(local: Local, result: Result, keepsRunning: boolean): string {
  const { before, after, events, runs, seconds } = result
  const corrected: Cell[] = events.flatMap(({ payload }) => payload.changes?.filter(isCell) ?? [])
  const cleared = corrected.filter(({ newValue }) => newValue === null)
  const table = new Table({ style: { head: [], border: [] }, wordWrap: true, colWidths: [26, 74] })
  table.push(
    ['Rows', `${after.total}`],
    ['Errors before the agent', errorsIn(before)],
    ['Corrected by the agent', `${corrected.length} cells  (${byField(corrected)})`],
    ['Of these cleared', `${cleared.length} that said ${texts(cleared)}  (${byField(cleared)})`],
    ['Errors after the agent', color.green(`${errorsIn(after)}${cleared.length > 0 ? MISSING : ''}`)],
    ['Events', `${events.length}  (${listed(countBy(events.map(({ topic }) => topic)))})`],
    [
      'Agent runs',
      `${runs.length}, ${runs.filter((run) => run.success).length} successful, ${runs.map((run) => `${run.duration} ms`).join(', ')}`,
    ],
    [
      'Seconds',
      Object.entries(seconds)
        .map(([step, took]) => `${step} ${took.toFixed(2)}`)
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
