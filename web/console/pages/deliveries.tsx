/** The deliveries of a webhook, each with its request and the responses. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Badge, QueryView } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { objectQuery, type Webhook } from '../data.ts'
import { useAction } from '../parts/actions.tsx'
import { Details, JsonView, Section, TimeAgo } from '../parts/page.tsx'
import { PagedTable, useFilter, usePages } from '../parts/paging.tsx'
import { StatusFilter } from '../parts/status-filter.tsx'

type Delivery = Shape<'Delivery'>
type Attempt = Shape<'Attempt'>

const STATES = {
  pending: { text: 'jobWaiting', tone: 'neutral' },
  delivered: { text: 'statusDelivered', tone: 'good' },
  failed: { text: 'jobFailed', tone: 'bad' },
} as const

const MAX_PAGE_SIZE = 100

async function fetchFailed(webhookId: string): Promise<Delivery[]> {
  const failed: Delivery[] = []
  for (let pageNumber = 1; ; pageNumber++) {
    const query = { status: 'failed', pageSize: MAX_PAGE_SIZE, pageNumber } as const
    const params = { path: { webhookId }, query }
    const { data } = await unwrap(api.GET('/api/v1/webhooks/{webhookId}/deliveries', { params }))
    failed.push(...data)
    if (data.length < MAX_PAGE_SIZE) return failed
  }
}

const WAIT_MS = 1000

/** Waits where the rate limit is reached. */
async function replay(webhookId: string, deliveryId: string): Promise<void> {
  const params = { path: { webhookId, deliveryId } }
  try {
    await unwrap(api.POST('/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay', { params }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    await replay(webhookId, deliveryId)
  }
}

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t, number } = useTranslation()
  const [status, setStatus] = useFilter('status')
  const [open, setOpen] = useState<Delivery>()
  const list = usePages(['deliveries', webhook.id, status], (page) =>
    unwrap(
      api.GET('/api/v1/webhooks/{webhookId}/deliveries', {
        params: { path: { webhookId: webhook.id }, query: { status: (status || undefined) as 'failed', ...page } },
      }),
    ),
  )
  const retry = useAction(
    ({ id }: Delivery) => replay(webhook.id, id),
    ['deliveries'],
    () => toast(t('replayed')),
  )
  const retryFailed = useAction(
    async () => {
      const failed = await fetchFailed(webhook.id)
      for (const { id } of failed) await replay(webhook.id, id)
      return failed.length
    },
    ['deliveries'],
    (count) => toast(t('retriedDeliveries', { count })),
  )
  return (
    <Section
      title={t('deliveries')}
      actions={
        <>
          <StatusFilter
            value={status}
            statuses={Object.entries(STATES).map(([value, { text }]) => ({ value, label: t(text) }))}
            onChange={setStatus}
          />
          <Button onClick={() => void list.query.refetch()}>{t('refresh')}</Button>
          <Button busy={retryFailed.isPending} onClick={() => retryFailed.mutate()}>
            {t('replayFailed')}
          </Button>
        </>
      }
    >
      <PagedTable
        label={t('deliveries')}
        list={list}
        rowKey={({ id }) => id}
        empty={t(status ? 'nothingFound' : 'noDeliveries')}
        columns={[
          {
            id: 'topic',
            title: t('event'),
            isMain: true,
            render: (delivery) => (
              <button type="button" className="link-button" onClick={() => setOpen(delivery)}>
                <code>{delivery.topic}</code>
              </button>
            ),
          },
          { id: 'status', title: t('status'), render: (delivery) => <DeliveryState delivery={delivery} /> },
          {
            id: 'response',
            title: t('lastResponse'),
            render: ({ attempts }) => <Response attempt={attempts.at(-1)} />,
          },
          { id: 'attempts', title: t('attempts'), render: ({ attempts }) => number(attempts.length) },
          { id: 'when', title: t('when'), render: ({ createdAt }) => <TimeAgo time={createdAt} /> },
          {
            id: 'actions',
            title: t('actions'),
            render: (delivery) => (
              <Button
                kind="ghost"
                aria-label={`${t('replay')}: ${delivery.topic}`}
                onClick={() => retry.mutate(delivery)}
              >
                {t('replay')}
              </Button>
            ),
          },
        ]}
      />
      {open && <DeliveryDialog delivery={open} onRetry={() => retry.mutate(open)} onClose={() => setOpen(undefined)} />}
    </Section>
  )
}

function DeliveryState({ delivery: { status } }: { delivery: Delivery }) {
  const { t } = useTranslation()
  return <Badge tone={STATES[status].tone}>{t(STATES[status].text)}</Badge>
}

function Response({ attempt }: { attempt: Attempt | undefined }) {
  if (!attempt) return null
  return <span dir="auto">{attempt.error ?? `HTTP ${attempt.statusCode}`}</span>
}

interface DialogProps {
  delivery: Delivery
  onRetry(): void
  onClose(): void
}

function DeliveryDialog({ delivery, onRetry, onClose }: DialogProps) {
  const { t, date } = useTranslation()
  const event = useQuery(
    objectQuery(['event', delivery.eventId], () =>
      unwrap(api.GET('/api/v1/events/{eventId}', { params: { path: { eventId: delivery.eventId } } })),
    ),
  )
  return (
    <Dialog title={delivery.topic} place="end" wide onClose={onClose}>
      <Details
        items={[
          [t('status'), <DeliveryState key="status" delivery={delivery} />],
          [t('created'), date(delivery.createdAt)],
          [t('nextAttempt'), delivery.nextAttemptAt && date(delivery.nextAttemptAt)],
        ]}
      />
      <h3>{t('responses')}</h3>
      {delivery.attempts.length === 0 && <p className="muted">{t('noAttempts')}</p>}
      <ol className="attempts">
        {delivery.attempts.toReversed().map((attempt) => (
          <AttemptItem key={attempt.at} attempt={attempt} />
        ))}
      </ol>
      <h3>{t('request')}</h3>
      <QueryView query={event}>{(data) => <JsonView value={data} />}</QueryView>
      <div className="actions">
        <Button kind="primary" onClick={onRetry}>
          {t('replay')}
        </Button>
      </div>
    </Dialog>
  )
}

function AttemptItem({ attempt }: { attempt: Attempt }) {
  const { date, duration } = useTranslation()
  return (
    <li className="card">
      <p>
        <Badge tone={attempt.success ? 'good' : 'bad'}>
          <Response attempt={attempt} />
        </Badge>{' '}
        <span className="hint">
          {date(attempt.at)} · {duration(attempt.durationMs)}
        </span>
      </p>
      {attempt.answer && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <pre className="log" tabIndex={0}>
          {attempt.answer}
        </pre>
      )}
    </li>
  )
}
