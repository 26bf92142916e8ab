import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import type { operations } from '../../shared/api/schema.generated.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, JsonView, PageHeader } from '../components.tsx'
import type { PageProps } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'

const HOURS = [1, 24, 168] as const
type Event = operations['events.list']['responses'][200]['content']['application/json']['data'][number]

export default function Events({ environment }: PageProps) {
  const { t, date } = useTranslation()
  const [topic, setTopic] = useState('')
  const [hours, setHours] = useState('24')
  const [openEvent, setOpenEvent] = useState<Event>()
  useEnvironmentEvents(environment.id, () => ['events'])
  const events = useQuery({
    queryKey: ['events', environment.id, topic, hours],
    async queryFn() {
      const since = new Date(Date.now() - Number(hours) * 3_600_000).toISOString()
      const [domain, name] = topic.split(':')
      const topicFilter = name ? { topic } : domain ? { domain } : {}
      const query = {
        environmentId: environment.id,
        since,
        includeAcknowledged: true,
        pageSize: 1000,
        ...topicFilter,
      } as const
      const { data } = await unwrap(api.GET('/api/v1/events', { params: { query } }))
      return data.toReversed()
    },
  })
  return (
    <>
      <PageHeader title={t('events')}>
        <input
          aria-label={t('topic')}
          placeholder="job:completed"
          value={topic}
          dir="ltr"
          onChange={(event) => setTopic(event.target.value.trim())}
        />
        <SelectField
          hideLabel
          label={t('since')}
          value={hours}
          options={HOURS.map((count) => ({ value: String(count), label: t('lastHours', { count }) }))}
          onChange={(event) => setHours(event.target.value)}
        />
      </PageHeader>
      <QueryView query={events}>
        {(all) => (
          <DataTable
            name={t('events')}
            rows={all}
            empty={t('nothingFound')}
            columns={[
              { title: t('topic'), cell: (entry) => <code>{entry.topic}</code> },
              { title: t('created'), cell: (entry) => date(entry.createdAt) },
              { title: t('about'), wide: true, cell: (entry) => <code className="hint">{getResourceId(entry)}</code> },
              {
                title: t('actions'),
                cell: (entry) => (
                  <Button kind="ghost" aria-label={`${t('details')}: ${entry.id}`} onClick={() => setOpenEvent(entry)}>
                    {t('details')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {openEvent && <Details event={openEvent} onClose={() => setOpenEvent(undefined)} />}
    </>
  )
}

const getResourceId = ({ context }: Event): string => {
  const { spaceId, workbookId, sheetId, jobId, fileId } = context as Record<string, string | undefined>
  return jobId ?? fileId ?? sheetId ?? workbookId ?? spaceId ?? ''
}

function Details({ event, onClose }: { event: Event; onClose(): void }) {
  const payload = useQuery({
    queryKey: ['payload', event.id],
    queryFn: () => unwrap(api.GET('/api/v1/events/{eventId}/payload', { params: { path: { eventId: event.id } } })),
  })
  return (
    <Dialog title={event.topic} place="end" wide onClose={onClose}>
      <JsonView value={event} />
      <QueryView query={payload}>{(data) => <JsonView value={data} />}</QueryView>
    </Dialog>
  )
}
