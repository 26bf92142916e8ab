/** Webhooks: where events go, how each delivery went, and once more. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask, type Shape } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Given } from '../data.ts'
import { FormDialog, Head, Remove, ShownOnce, Table, useDoing } from '../parts.tsx'

type Webhook = Shape<'Webhook'>

export default function Webhooks({ environment }: Given) {
  const { t } = useTexts()
  const [adding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [open, setOpen] = useState<Webhook>()
  const webhooks = useQuery({
    queryKey: ['webhooks', environment.id],
    queryFn: async () =>
      (await ask(api.GET('/api/v1/webhooks', { params: { query: { environmentId: environment.id, pageSize: 100 } } })))
        .data,
  })
  const path = (webhookId: string) => ({ params: { path: { webhookId } } })
  const ping = useDoing(
    (id: string) => ask(api.POST('/api/v1/webhooks/{webhookId}/ping', path(id))),
    ['deliveries'],
    (answer) => toast(JSON.stringify((answer as { data: unknown }).data)),
  )
  const toggle = useDoing(
    ({ id, active }: Webhook) =>
      ask(api.PATCH('/api/v1/webhooks/{webhookId}', { ...path(id), body: { active: !active } })),
    ['webhooks'],
  )
  const renew = useDoing(async () => undefined, ['webhooks'])
  const rotate = useDoing(
    (id: string) => ask(api.POST('/api/v1/webhooks/{webhookId}/rotate-secret', path(id))),
    ['webhooks'],
    (answer) => setSecret((answer as { data: { secret: string } }).data.secret),
  )
  return (
    <>
      <Head title={t('webhooks')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newWebhook')}
        </Button>
      </Head>
      <Shown of={webhooks}>
        {(all) => (
          <Table
            name={t('webhooks')}
            rows={all}
            empty={t('noWebhooks')}
            columns={[
              { title: t('address'), wide: true, cell: ({ url }) => <code>{url}</code> },
              { title: t('topics'), cell: ({ topics }) => topics.join(', ') },
              {
                title: t('status'),
                cell: (each) => (
                  <span className={`badge ${each.failingSince ? 'bad' : each.active ? 'good' : ''}`}>
                    {each.failingSince ? t('jobFailed') : each.active ? t('active') : t('inactive')}
                  </span>
                ),
              },
              {
                title: t('actions'),
                cell: (each) => (
                  <>
                    <Button kind="ghost" aria-label={`${t('deliveries')}: ${each.url}`} onClick={() => setOpen(each)}>
                      {t('deliveries')}
                    </Button>
                    <Button kind="ghost" aria-label={`${t('ping')}: ${each.url}`} onClick={() => ping.mutate(each.id)}>
                      {t('ping')}
                    </Button>
                    <Button
                      kind="ghost"
                      aria-label={`${each.active ? t('switchOff') : t('switchOn')}: ${each.url}`}
                      onClick={() => toggle.mutate(each)}
                    >
                      {each.active ? t('switchOff') : t('switchOn')}
                    </Button>
                    <Button
                      kind="ghost"
                      aria-label={`${t('newSecret')}: ${each.url}`}
                      onClick={() => rotate.mutate(each.id)}
                    >
                      {t('newSecret')}
                    </Button>
                    <Remove
                      name={each.url}
                      text={t('deleteForGood', { name: each.url })}
                      work={() => ask(api.DELETE('/api/v1/webhooks/{webhookId}', path(each.id)))}
                      touched={['webhooks']}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </Shown>
      {adding && (
        <FormDialog
          title={t('newWebhook')}
          action={t('create')}
          fields={[
            { name: 'url', label: t('address'), type: 'url' },
            { name: 'topics', label: t('topics'), hint: 'job:*, file:created, **', initial: '**' },
          ]}
          submit={({ url = '', topics = '' }) =>
            ask(
              api.POST('/api/v1/webhooks', {
                body: { environmentId: environment.id, url, topics: topics.split(/[\s,]+/).filter(Boolean) },
              }),
            )
          }
          onDone={({ data }) => {
            setAdding(false)
            setSecret(data.secret)
            renew.mutate()
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {secret && <ShownOnce title={t('secret')} value={secret} onClose={() => setSecret(undefined)} />}
      {open && (
        <Dialog title={open.url} drawer wide onClose={() => setOpen(undefined)}>
          <Deliveries webhook={open} />
        </Dialog>
      )}
    </>
  )
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t, date } = useTexts()
  const path = { webhookId: webhook.id }
  const deliveries = useQuery({
    queryKey: ['deliveries', webhook.id],
    queryFn: async () => (await ask(api.GET('/api/v1/webhooks/{webhookId}/deliveries', { params: { path } }))).data,
  })
  const replay = useDoing(
    (deliveryId: string) =>
      ask(
        api.POST('/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay', {
          params: { path: { ...path, deliveryId } },
        }),
      ),
    ['deliveries'],
  )
  return (
    <Shown of={deliveries}>
      {(all) => (
        <Table
          name={t('deliveries')}
          rows={all}
          empty={t('nothingFound')}
          columns={[
            { title: t('topic'), wide: true, cell: (each) => <code>{each.topic}</code> },
            {
              title: t('status'),
              cell: (each) => <span className={`badge ${each.status === 'failed' ? 'bad' : ''}`}>{each.status}</span>,
            },
            { title: t('attempts'), cell: (each) => each.attempts.length },
            { title: t('created'), cell: (each) => date(each.createdAt) },
            {
              title: t('actions'),
              cell: (each) => (
                <Button kind="ghost" aria-label={`${t('replay')}: ${each.id}`} onClick={() => replay.mutate(each.id)}>
                  {t('replay')}
                </Button>
              ),
            },
          ]}
        />
      )}
    </Shown>
  )
}
