import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../shared/api/client.ts'
import { getSignedInId } from '../../shared/api/session.ts'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { Ago } from '../../shared/ui/ago.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Empty, QueryView } from '../../shared/ui/states.tsx'
import type { Sheet } from '../queries.ts'
import { formatShown } from './cells.ts'

const ACTIONS: Record<'created' | 'updated' | 'deleted', TextKey> = {
  created: 'addedRow',
  updated: 'changedRow',
  deleted: 'deletedRow',
}

export function History({ sheet, recordId, onClose }: { sheet: Sheet; recordId: string; onClose(): void }) {
  const { t } = useTranslation()
  const history = useQuery({
    queryKey: ['history', sheet.id, recordId],
    async queryFn() {
      const path = { sheetId: sheet.id, recordId }
      return (await unwrap(api.GET('/api/v1/sheets/{sheetId}/records/{recordId}/history', { params: { path } }))).data
    },
  })
  const getFieldLabel = (key: string) => sheet.config.fields.find((field) => field.key === key)?.label || key
  const getAuthor = ({ createdBy, createdByName }: { createdBy: string; createdByName?: string }) =>
    createdBy === getSignedInId() ? t('you') : (createdByName ?? t('someone'))
  return (
    <Dialog title={t('history')} place="end" onClose={onClose}>
      <QueryView query={history}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={t('nothingFound')} />
          ) : (
            <ol className="history">
              {entries.map((entry) => (
                <li key={entry.commitId}>
                  <p>
                    <strong dir="auto">{getAuthor(entry)}</strong> {t(ACTIONS[entry.action])}{' '}
                    <Ago time={entry.createdAt} />
                  </p>
                  <dl>
                    {entry.changes.map((change) => (
                      <div key={change.fieldKey}>
                        <dt dir="auto">{getFieldLabel(change.fieldKey)}</dt>
                        <dd dir="auto">
                          <del>{formatShown(change.previousValue, t)}</del> <ins>{formatShown(change.newValue, t)}</ins>
                        </dd>
                      </div>
                    ))}
                  </dl>
                </li>
              ))}
            </ol>
          )
        }
      </QueryView>
    </Dialog>
  )
}
