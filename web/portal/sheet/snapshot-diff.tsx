import { useQuery } from '@tanstack/react-query'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import type { Sheet } from '../queries.ts'
import { formatShown } from './cells.ts'

type DiffRecord = Shape<'DiffRecord'>

const MAX_RECORDS = 20
const KINDS = ['updatedSince', 'createdSince', 'deletedSince'] as const satisfies TextKey[]
type Kind = (typeof KINDS)[number]

export function SnapshotDiff({ sheet, snapshotId }: { sheet: Sheet; snapshotId: string }) {
  const { t } = useTranslation()
  const path = { snapshotId }
  const summary = useQuery({
    queryKey: ['snapshots', sheet.id, 'summary', snapshotId],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/snapshots/{snapshotId}', { params: { path, query: { includeSummary: true } } })))
        .data.summary!,
  })
  return (
    <div className="diff">
      <QueryView query={summary}>
        {(data) => {
          const changedKinds = KINDS.filter((kind) => data[kind].total > 0)
          if (changedKinds.length === 0) return <p className="hint">{t('noChanges')}</p>
          return changedKinds.map((kind) => (
            <section key={kind}>
              <h3>{t(kind, { count: data[kind].total })}</h3>
              <Records sheet={sheet} snapshotId={snapshotId} kind={kind} />
            </section>
          ))
        }}
      </QueryView>
    </div>
  )
}

function Records({ sheet, snapshotId, kind }: { sheet: Sheet; snapshotId: string; kind: Kind }) {
  const path = { snapshotId }
  const records = useQuery({
    queryKey: ['snapshots', sheet.id, 'diff', snapshotId, kind],
    async queryFn() {
      const query = { changeType: kind, pageSize: MAX_RECORDS }
      return (await unwrap(api.GET('/api/v1/snapshots/{snapshotId}/records', { params: { path, query } }))).data
    },
  })
  return (
    <QueryView query={records}>
      {(data) => (
        <ol className="history">
          {data.map((record) => (
            <li key={record.id}>
              <Cells sheet={sheet} record={record} kind={kind} />
            </li>
          ))}
        </ol>
      )}
    </QueryView>
  )
}

function Cells({ sheet, record, kind }: { sheet: Sheet; record: DiffRecord; kind: Kind }) {
  const { t } = useTranslation()
  const cells = sheet.config.fields.flatMap(({ key, label }) => {
    const cell = record.values[key]
    const before = kind === 'createdSince' ? '' : formatShown(cell?.snapshotValue, t)
    const now = kind === 'deletedSince' ? '' : formatShown(cell?.value, t)
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
