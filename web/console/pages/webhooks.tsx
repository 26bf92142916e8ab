import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Badge } from '../../shared/ui/states.tsx'
import { type PageProps, usePath, type Webhook } from '../data.ts'
import { useRefresh } from '../parts/actions.tsx'
import { FormDialog } from '../parts/forms.tsx'
import { PageHeader, TimeAgo } from '../parts/page.tsx'
import { PagedTable, usePages } from '../parts/paging.tsx'
import { OneTimeValue } from '../parts/values.tsx'
import { buildWebhookFields, parseTopics } from './webhook-fields.ts'

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  if (!webhook.active) return <Badge>{t('inactive')}</Badge>
  return webhook.failingSince ? <Badge tone="bad">{t('failing')}</Badge> : <Badge tone="good">{t('active')}</Badge>
}

export default function Webhooks({ environment }: PageProps) {
  const { t } = useTranslation()
  const path = usePath()
  const [adding, setAdding] = useState(false)
  const list = usePages(['webhooks', environment.id], (page) =>
    unwrap(api.GET('/api/v1/webhooks', { params: { query: { environmentId: environment.id, ...page } } })),
  )
  return (
    <>
      <PageHeader title={t('webhooks')} text={t('webhooksText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newWebhook')}
        </Button>
      </PageHeader>
      <PagedTable
        label={t('webhooks')}
        list={list}
        rowKey={({ id }) => id}
        rowHref={({ id }) => path('webhooks', id)}
        empty={t('noWebhooks')}
        columns={[
          {
            id: 'url',
            title: t('address'),
            isMain: true,
            sortValue: ({ url }) => url,
            render: ({ url }) => <span dir="ltr">{url}</span>,
          },
          {
            id: 'description',
            title: t('description'),
            render: ({ description }) => <span className="two-lines">{description}</span>,
          },
          {
            id: 'topics',
            title: t('topics'),
            render: ({ topics }) => <code className="two-lines">{topics.join(', ')}</code>,
          },
          { id: 'status', title: t('status'), render: (webhook) => <WebhookState webhook={webhook} /> },
          { id: 'created', title: t('created'), render: ({ createdAt }) => <TimeAgo time={createdAt} /> },
        ]}
      />
      {adding && <NewWebhook environment={environment} onClose={() => setAdding(false)} />}
    </>
  )
}

function NewWebhook({ environment, onClose }: PageProps & { onClose(): void }) {
  const { t } = useTranslation()
  const path = usePath()
  const [, navigate] = useLocation()
  const refresh = useRefresh()
  const [made, setMade] = useState<{ id: string; secret: string }>()
  if (made)
    return (
      <OneTimeValue
        title={t('signingSecret')}
        value={made.secret}
        onClose={() => navigate(path('webhooks', made.id))}
      />
    )
  return (
    <FormDialog
      title={t('newWebhook')}
      action={t('create')}
      fields={buildWebhookFields(t)}
      submit={({ url = '', topics = '', description }) => {
        const body = {
          environmentId: environment.id,
          url,
          topics: parseTopics(topics),
          description: description || null,
        }
        return unwrap(api.POST('/api/v1/webhooks', { body }))
      }}
      onDone={({ data }) => {
        refresh('webhooks')
        setMade(data)
      }}
      onClose={onClose}
    />
  )
}
