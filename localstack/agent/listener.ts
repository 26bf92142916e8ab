/**
 * The sample agent: corrects airports as they come in. Written like any listener for the public library; the only thing it
 * knows of the platform is the event it is given.
 */
import type { FlatfileEvent, FlatfileListener } from '@flatfile/listener'
import { type Correction, corrected, type Finding, type Values } from './airports.ts'

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

/** The sheet it works on. */
const SHEET_SLUG = 'airport-directory'

export default function listener(events: FlatfileListener): void {
  events.on('commit:created', { sheetSlug: SHEET_SLUG }, correctCommit)
}

async function correctCommit(event: FlatfileEvent): Promise<void> {
  const { records } = (await event.data) as { records: Row[] }
  const changes = records.flatMap(({ id, values }) => changeOf(id, corrected(plain(values))))
  console.log(`${changes.length} of ${records.length} airports need a correction or a look`)
  if (changes.length > 0) await event.update(changes as unknown as Parameters<FlatfileEvent['update']>[0])
}

const plain = (cells: Row['values']): Values =>
  Object.fromEntries(Object.entries(cells).map(([field, { value }]) => [field, value]))

function changeOf(id: string, { values, findings }: Correction): Change[] {
  const fields = [...new Set([...Object.keys(values), ...findings.map(({ field }) => field)])]
  const cells = fields.map((field) => [field, { ...cellOf(field, values), ...messagesOf(field, findings) }] as const)
  return cells.length > 0 ? [{ id, values: Object.fromEntries(cells) }] : []
}

/** A cell without a value keeps the one it has. */
const cellOf = (field: string, values: Correction['values']) => (field in values ? { value: values[field] } : {})

function messagesOf(field: string, findings: Finding[]) {
  const messages = findings.filter((finding) => finding.field === field)
  return messages.length > 0
    ? { messages: messages.map(({ type, message }) => ({ type, message, source: 'custom-logic' })) }
    : {}
}
