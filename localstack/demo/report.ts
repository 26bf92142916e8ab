/** What happened, as a table, and what to try next. */
import Table from 'cli-table3'
import color from 'picocolors'
import type { Local } from '../seed.ts'
import type { Result } from './import.ts'

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

const isCell = (change: object): boolean => 'fieldKey' in change

export function report(local: Local, result: Result, keepsRunning: boolean): string {
  const { before, after, events, runs, seconds } = result
  const corrected: { fieldKey: string }[] = events.flatMap(({ payload }) => payload.changes?.filter(isCell) ?? [])
  const table = new Table({ style: { head: [], border: [] }, wordWrap: true, colWidths: [26, 74] })
  table.push(
    ['Rows', `${after.total}`],
    ['Valid before the agent', `${before.valid}  (errors by field: ${listed(before.errorsByField)})`],
    [
      'Corrected by the agent',
      `${corrected.length} cells  (${listed(countBy(corrected.map(({ fieldKey }) => fieldKey)))})`,
    ],
    ['Valid after the agent', color.green(`${after.valid}  (errors by field: ${listed(after.errorsByField)})`)],
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
  const start = keepsRunning ? '' : '\n  npm start          # then, in another terminal:'
  return `
${table.toString()}

Try next:
${start}
  curl -s "${local.baseUrl}/v1/sheets/${result.sheetId}/records?filter=error&pageSize=3" -H "Authorization: Bearer ${key}"
  curl -s "${local.baseUrl}/v1/events?spaceId=${result.spaceId}&pageSize=5" -H "Authorization: Bearer ${key}"
`
}
