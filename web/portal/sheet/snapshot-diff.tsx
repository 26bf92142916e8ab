/** What became of a sheet since a snapshot: how many records, and the first of them cell by cell. */
import { useQuery } from '@tanstack/react-query'
import { api, ask, type Shape } from '../../shared/api/client.ts'
import { type TextKey, useTexts } from '../../shared/texts/texts.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import type { Sheet } from '../data.ts'
import { textOf } from './cells.ts'

type DiffRecord = Shape<'DiffRecord'>

/** Records that are shown of each kind. */
const SHOWN = 20
const KINDS = ['updatedSince', 'createdSince', 'deletedSince'] as const satisfies TextKey[]
type Kind = (typeof KINDS)[number]

export function SnapshotDiff({ sheet, snapshotId }: { sheet: Sheet; snapshotId: string }) {
  const { t, number } = useTexts()
  const path = { snapshotId }
  const summary = useQuery({
    queryKey: ['snapshots', sheet.id, 'summary', snapshotId],
    queryFn: async () =>
      (await ask(api.GET('/api/v1/snapshots/{snapshotId}', { params: { path, query: { includeSummary: true } } }))).data
        .summary!,
  })
  return (
    <div className="diff">
      <Shown of={summary}>
        {(found) => {
          const changed = KINDS.filter((kind) => found[kind].total > 0)
          if (changed.length === 0) return <p className="hint">{t('noChanges')}</p>
          return changed.map((kind) => (
            <section key={kind}>
              <h3>{t(kind, { count: number(found[kind].total) })}</h3>
              <Records sheet={sheet} snapshotId={snapshotId} kind={kind} />
            </section>
          ))
        }}
      </Shown>
    </div>
  )
}

function Records({ sheet, snapshotId, kind }: { sheet: Sheet; snapshotId: string; kind: Kind }) {
  const path = { snapshotId }
  const records = useQuery({
    queryKey: ['snapshots', sheet.id, 'diff', snapshotId, kind],
    async queryFn() {
      const query = { changeType: kind, pageSize: SHOWN }
      return (await ask(api.GET('/api/v1/snapshots/{snapshotId}/records', { params: { path, query } }))).data
    },
  })
  return (
    <Shown of={records}>
      {(found) => (
        <ol className="history">
          {found.map((record) => (
            <li key={record.id}>
              <Cells sheet={sheet} record={record} kind={kind} />
            </li>
          ))}
        </ol>
      )}
    </Shown>
  )
}

function Cells({ sheet, record, kind }: { sheet: Sheet; record: DiffRecord; kind: Kind }) {
  const cells = sheet.config.fields.flatMap(({ key, label }) => {
    const cell = record.values[key]
    const before = kind === 'createdSince' ? '' : textOf(cell?.snapshotValue)
    const now = kind === 'deletedSince' ? '' : textOf(cell?.value)
    return before === now ? [] : [{ key, label: label || key, before, now }]
  })
  return (
    <dl>
      {cells.map(({ key, label, before, now }) => (
        <div key={key}>
          <dt dir="auto">{label}</dt>
          <dd dir="auto">
            {before && <del>{before}</del>} {now && <ins>{now}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
