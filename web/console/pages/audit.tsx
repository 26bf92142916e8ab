import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, JsonView, PageHeader } from '../components.tsx'

export default function Audit() {
  const { t, date } = useTranslation()
  const [action, setAction] = useState('')
  const [openEntry, setOpenEntry] = useState<Shape<'AuditEntry'>>()
  const audit = useInfiniteQuery({
    queryKey: ['audit', action],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) =>
      unwrap(api.GET('/api/v1/audit', { params: { query: { action: action || undefined, before, pageSize: 100 } } })),
    getNextPageParam: ({ next }) => next,
  })
  return (
    <>
      <PageHeader title={t('audit')} text={t('auditText')}>
        <input
          aria-label={t('action')}
          placeholder="users.invite"
          value={action}
          dir="ltr"
          onChange={(event) => setAction(event.target.value.trim())}
        />
      </PageHeader>
      <QueryView query={audit}>
        {({ pages }) => (
          <DataTable
            name={t('audit')}
            rows={pages.flatMap(({ data }) => data)}
            empty={t('nothingFound')}
            columns={[
              { title: t('created'), cell: (entry) => date(entry.createdAt) },
              { title: t('action'), cell: (entry) => <code>{entry.action}</code> },
              { title: t('who'), wide: true, cell: (entry) => <code className="hint">{entry.actorId}</code> },
              { title: t('role'), cell: ({ role }) => role },
              { title: t('address'), cell: ({ address }) => address },
              {
                title: t('actions'),
                cell: (entry) => (
                  <Button kind="ghost" aria-label={`${t('details')}: ${entry.id}`} onClick={() => setOpenEntry(entry)}>
                    {t('details')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {audit.hasNextPage && (
        <Button busy={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {openEntry && (
        <Dialog title={openEntry.action} place="end" wide onClose={() => setOpenEntry(undefined)}>
          <JsonView value={openEntry} />
        </Dialog>
      )}
    </>
  )
}
