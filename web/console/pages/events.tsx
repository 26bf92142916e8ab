import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Combobox } from '../../shared/ui/combobox.tsx'
import { SelectField } from '../../shared/ui/controls.tsx'
import type { PageProps } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'
import { PageHeader } from '../parts/page.tsx'
import { useFilter, usePages } from '../parts/paging.tsx'
import { EventsTable } from '../tables.tsx'

const HOURS = [1, 24, 168, 720] as const
const HOUR_MS = 3_600_000
/** Others can be typed. */
const COMMON_TOPICS = [
  'agent:updated',
  'commit:created',
  'file:created',
  'job:completed',
  'job:failed',
  'job:ready',
  'records:created',
  'records:updated',
  'sheet:updated',
  'space:created',
  'space:guestAdded',
  'workbook:created',
]

export default function Events({ environment }: PageProps) {
  const { t } = useTranslation()
  const [topic, setTopic] = useFilter('topic')
  const [hours, setHours] = useFilter('hours', '24')
  useEnvironmentEvents(environment.id, () => ['events'])
  const list = usePages(['events', environment.id, topic, hours], (page) => {
    const since = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString()
    const query = {
      environmentId: environment.id,
      topic: topic || undefined,
      since,
      includeAcknowledged: true,
      sortDirection: 'desc',
      ...page,
    } as const
    return unwrap(api.GET('/api/v1/events', { params: { query } }))
  })
  return (
    <>
      <PageHeader title={t('events')} text={t('eventsText')} />
      <div className="filters">
        <Combobox
          hideLabel
          label={t('topic')}
          value={topic}
          options={[
            { value: '', label: t('allEvents') },
            ...COMMON_TOPICS.map((name) => ({ value: name, label: name })),
          ]}
          onCreate={setTopic}
          onChange={setTopic}
        />
        <SelectField
          hideLabel
          label={t('since')}
          value={hours}
          options={HOURS.map((count) => ({ value: String(count), label: t('lastHours', { count }) }))}
          onChange={({ target }) => setHours(target.value)}
        />
      </div>
      <EventsTable list={list} empty={t('noEvents')} />
    </>
  )
}
