import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type Event, type ObjectPageProps, objectQuery, usePath } from '../data.ts'
import { useAction } from '../parts/actions.tsx'
import { ResourceName } from '../parts/names.tsx'
import { Details, ObjectView, PageHeader, ShowJson, TimeAgo } from '../parts/page.tsx'

export default function EventPage({ id }: ObjectPageProps) {
  const { t } = useTranslation()
  const path = usePath()
  const event = useQuery(
    objectQuery(['event', id], () =>
      unwrap(api.GET('/api/v1/events/{eventId}', { params: { path: { eventId: id } } })),
    ),
  )
  const parent = { title: t('events'), href: path('events') }
  return (
    <ObjectView query={event} parent={parent}>
      {(found) => (
        <>
          <PageHeader title={found.topic} parent={parent}>
            <ReplayEvent event={found} />
          </PageHeader>
          <EventDetails event={found} />
          <EventJson event={found} />
        </>
      )}
    </ObjectView>
  )
}

function ReplayEvent({ event }: { event: Event }) {
  const { t } = useTranslation()
  const body = { eventIds: [event.id], environmentId: event.context.environmentId }
  const replay = useAction(
    () => unwrap(api.POST('/api/v1/events/replay', { body })),
    ['events'],
    () => toast(t('replayed')),
  )
  return (
    <Button busy={replay.isPending} onClick={() => replay.mutate()}>
      {t('sendAgain')}
    </Button>
  )
}

function EventDetails({ event: { context, createdAt, acknowledgedAt, origin } }: { event: Event }) {
  const { t, date } = useTranslation()
  const nameOf = (id: string | undefined) => (id ? <ResourceName id={id} /> : undefined)
  return (
    <Details
      items={[
        [t('when'), date(createdAt)],
        [t('who'), nameOf(context.actorId)],
        [t('space'), nameOf(context.spaceId)],
        [t('workbook'), nameOf(context.workbookId)],
        [t('sheet'), nameOf(context.sheetId)],
        [t('file'), nameOf(context.fileId)],
        [t('job'), nameOf(context.jobId)],
        [t('agent'), nameOf(context.agentId)],
        [t('origin'), origin?.slug],
        [t('acknowledged'), acknowledgedAt && <TimeAgo time={acknowledgedAt} />],
      ]}
    />
  )
}

/** Large payloads are stored apart from the event. */
function EventJson({ event }: { event: Event }) {
  const payload = useQuery({
    queryKey: ['payload', event.id],
    queryFn: () => unwrap(api.GET('/api/v1/events/{eventId}/payload', { params: { path: { eventId: event.id } } })),
  })
  return <ShowJson isOpen value={{ ...event, payload: payload.data ?? event.payload }} />
}
