/** The sample agent: corrects airports as they are added. It depends only on the public listener library. */
import type { FlatfileEvent, FlatfileListener } from '@flatfile/listener'
import { type Correction, correctRow, type Finding, type Values } from './airports.ts'

interface Cell {
  value: unknown
}
interface Row {
  id: string
  values: Record<string, Cell>
}
interface Change {
  id: string
  values: Record<string, { value?: unknown; messages?: { type: string; message: string; source: string }[] }>
}

const SHEET_SLUG = 'airport-directory'

export default function listener(events: FlatfileListener): void {
  events.on('commit:created', { sheetSlug: SHEET_SLUG }, correctCommit)
}

async function correctCommit(event: FlatfileEvent): Promise<void> {
  const { records } = (await event.data) as { records: Row[] }
  const changes = records.flatMap(({ id, values }) => buildChanges(id, correctRow(toValues(values))))
  console.log(`${changes.length} of ${records.length} airports need a correction or a review`)
  if (changes.length > 0) await event.update(changes as unknown as Parameters<FlatfileEvent['update']>[0])
}

const toValues = (cells: Row['values']): Values =>
  Object.fromEntries(Object.entries(cells).map(([field, { value }]) => [field, value]))

function buildChanges(id: string, { values, findings }: Correction): Change[] {
  const fields = [...new Set([...Object.keys(values), ...findings.map(({ field }) => field)])]
  const cells = fields.map(
    (field) => [field, { ...buildCell(field, values), ...buildMessages(field, findings) }] as const,
  )
  return cells.length > 0 ? [{ id, values: Object.fromEntries(cells) }] : []
}

const buildCell = (field: string, values: Correction['values']) => (field in values ? { value: values[field] } : {})

function buildMessages(field: string, findings: Finding[]) {
  const messages = findings.filter((finding) => finding.field === field)
  return messages.length > 0
    ? { messages: messages.map(({ type, message }) => ({ type, message, source: 'custom-logic' })) }
    : {}
}
