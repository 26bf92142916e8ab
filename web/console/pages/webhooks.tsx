import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { DataTable, DeleteButton, FormDialog, OneTimeValue, PageHeader, useAction } from '../components.tsx'
import type { PageProps } from '../data.ts'

type Webhook = Shape<'Webhook'>

const DELIVERY_BADGES = {
  pending: { text: 'jobWaiting', badge: '' },
  delivered: { text: 'statusDelivered', badge: 'good' },
  failed: { text: 'jobFailed', badge: 'bad' },
} as const

export default function Webhooks({ environment }: PageProps) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [openWebhook, setOpenWebhook] = useState<Webhook>()
  const webhooks = useQuery({
    queryKey: ['webhooks', environment.id],
    queryFn: async () =>
      (
        await unwrap(
          api.GET('/api/v1/webhooks', { params: { query: { environmentId: environment.id, pageSize: 100 } } }),
        )
      ).data,
  })
  const buildPath = (webhookId: string) => ({ params: { path: { webhookId } } })
  const ping = useAction(
    (id: string) => unwrap(api.POST('/api/v1/webhooks/{webhookId}/ping', buildPath(id))),
    ['deliveries'],
    (result) => toast(JSON.stringify((result as { data: unknown }).data)),
  )
  const toggle = useAction(
    ({ id, active }: Webhook) =>
      unwrap(api.PATCH('/api/v1/webhooks/{webhookId}', { ...buildPath(id), body: { active: !active } })),
    ['webhooks'],
  )
  const refresh = useAction(async () => undefined, ['webhooks'])
  const rotate = useAction(
    (id: string) => unwrap(api.POST('/api/v1/webhooks/{webhookId}/rotate-secret', buildPath(id))),
    ['webhooks'],
    (result) => setSecret((result as { data: { secret: string } }).data.secret),
  )
  return (
    <>
      <PageHeader title={t('webhooks')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newWebhook')}
        </Button>
      </PageHeader>
      <QueryView query={webhooks}>
        {(all) => (
          <DataTable
            name={t('webhooks')}
            rows={all}
            empty={t('noWebhooks')}
            columns={[
              { title: t('address'), wide: true, cell: ({ url }) => <code>{url}</code> },
              { title: t('topics'), cell: ({ topics }) => topics.join(', ') },
              {
                title: t('status'),
                cell: (webhook) => (
                  <span className={`badge ${webhook.failingSince ? 'bad' : webhook.active ? 'good' : ''}`}>
                    {webhook.failingSince ? t('jobFailed') : webhook.active ? t('active') : t('inactive')}
                  </span>
                ),
              },
              {
                title: t('actions'),
                cell: (webhook) => (
                  <>
                    <Button
                      kind="ghost"
                      aria-label={`${t('deliveries')}: ${webhook.url}`}
                      onClick={() => setOpenWebhook(webhook)}
                    >
                      {t('deliveries')}
                    </Button>
                    <Button
                      kind="ghost"
                      aria-label={`${t('ping')}: ${webhook.url}`}
                      onClick={() => ping.mutate(webhook.id)}
                    >
                      {t('ping')}
                    </Button>
                    <Button
                      kind="ghost"
                      aria-label={`${webhook.active ? t('disable') : t('enable')}: ${webhook.url}`}
                      onClick={() => toggle.mutate(webhook)}
                    >
                      {webhook.active ? t('disable') : t('enable')}
                    </Button>
                    <Button
                      kind="ghost"
                      aria-label={`${t('newSecret')}: ${webhook.url}`}
                      onClick={() => rotate.mutate(webhook.id)}
                    >
                      {t('newSecret')}
                    </Button>
                    <DeleteButton
                      name={webhook.url}
                      text={t('deleteItem', { name: webhook.url })}
                      onDelete={() => unwrap(api.DELETE('/api/v1/webhooks/{webhookId}', buildPath(webhook.id)))}
                      invalidates={['webhooks']}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {adding && (
        <FormDialog
          title={t('newWebhook')}
          action={t('create')}
          fields={[
            { name: 'url', label: t('address'), type: 'url' },
            { name: 'topics', label: t('topics'), hint: 'job:*, file:created, **', initial: '**' },
          ]}
          submit={({ url = '', topics = '' }) =>
            unwrap(
              api.POST('/api/v1/webhooks', {
                body: { environmentId: environment.id, url, topics: topics.split(/[\s,]+/).filter(Boolean) },
              }),
            )
          }
          onDone={({ data }) => {
            setAdding(false)
            setSecret(data.secret)
            refresh.mutate()
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {secret && <OneTimeValue title={t('secret')} value={secret} onClose={() => setSecret(undefined)} />}
      {openWebhook && (
        <Dialog title={openWebhook.url} place="end" wide onClose={() => setOpenWebhook(undefined)}>
          <Deliveries webhook={openWebhook} />
        </Dialog>
      )}
    </>
  )
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t, date, number } = useTranslation()
  const buildPath = { webhookId: webhook.id }
  const deliveries = useQuery({
    queryKey: ['deliveries', webhook.id],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/webhooks/{webhookId}/deliveries', { params: { path: buildPath } }))).data,
  })
  const replay = useAction(
    (deliveryId: string) =>
      unwrap(
        api.POST('/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay', {
          params: { path: { ...buildPath, deliveryId } },
        }),
      ),
    ['deliveries'],
  )
  return (
    <QueryView query={deliveries}>
      {(all) => (
        <DataTable
          name={t('deliveries')}
          rows={all}
          empty={t('nothingFound')}
          columns={[
            { title: t('topic'), wide: true, cell: (delivery) => <code>{delivery.topic}</code> },
            {
              title: t('status'),
              cell: ({ status }) => (
                <span className={`badge ${DELIVERY_BADGES[status].badge}`}>{t(DELIVERY_BADGES[status].text)}</span>
              ),
            },
            { title: t('attempts'), cell: ({ attempts }) => number(attempts.length) },
            { title: t('created'), cell: (delivery) => date(delivery.createdAt) },
            {
              title: t('actions'),
              cell: (delivery) => (
                <Button
                  kind="ghost"
                  aria-label={`${t('replay')}: ${delivery.id}`}
                  onClick={() => replay.mutate(delivery.id)}
                >
                  {t('replay')}
                </Button>
              ),
            },
          ]}
        />
      )}
    </QueryView>
  )
}
