/** The audit log: who changed what others may do, and who looked at secrets. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask, type Shape } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import { Head, Json, Table } from '../parts.tsx'

export default function Audit() {
  const { t, date } = useTexts()
  const [action, setAction] = useState('')
  const [open, setOpen] = useState<Shape<'AuditEntry'>>()
  const audit = useInfiniteQuery({
    queryKey: ['audit', action],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) =>
      ask(api.GET('/api/v1/audit', { params: { query: { action: action || undefined, before, pageSize: 100 } } })),
    getNextPageParam: ({ next }) => next,
  })
  return (
    <>
      <Head title={t('audit')} text={t('auditText')}>
        <input
          aria-label={t('action')}
          placeholder="users.invite"
          value={action}
          dir="ltr"
          onChange={(event) => setAction(event.target.value.trim())}
        />
      </Head>
      <Shown of={audit}>
        {({ pages }) => (
          <Table
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
                  <Button kind="ghost" aria-label={`${t('details')}: ${entry.id}`} onClick={() => setOpen(entry)}>
                    {t('details')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Shown>
      {audit.hasNextPage && (
        <Button busy={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {open && (
        <Dialog title={open.action} drawer wide onClose={() => setOpen(undefined)}>
          <Json value={open} />
        </Dialog>
      )}
    </>
  )
}
