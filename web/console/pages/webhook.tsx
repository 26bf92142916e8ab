import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Menu } from '../../shared/ui/menu.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type ObjectPageProps, objectQuery, usePath, type Webhook } from '../data.ts'
import { DeleteButton, useAction, useRefresh } from '../parts/actions.tsx'
import { FormDialog } from '../parts/forms.tsx'
import { ResourceName } from '../parts/names.tsx'
import { Details, ObjectView, PageHeader, ShowJson, TimeAgo } from '../parts/page.tsx'
import { OneTimeValue } from '../parts/values.tsx'
import { CodeList } from './agent.tsx'
import { Deliveries } from './deliveries.tsx'
import { buildWebhookFields, parseTopics } from './webhook-fields.ts'
import { WebhookState } from './webhooks.tsx'

export default function WebhookPage({ id }: ObjectPageProps) {
  const { t } = useTranslation()
  const path = usePath()
  const webhook = useQuery(
    objectQuery(['webhooks', 'one', id], () =>
      unwrap(api.GET('/api/v1/webhooks/{webhookId}', { params: { path: { webhookId: id } } })),
    ),
  )
  const parent = { title: t('webhooks'), href: path('webhooks') }
  return (
    <ObjectView query={webhook} parent={parent}>
      {(found) => (
        <>
          <PageHeader
            title={found.description || new URL(found.url).host}
            parent={parent}
            badge={<WebhookState webhook={found} />}
          >
            <WebhookActions webhook={found} />
          </PageHeader>
          {found.disabledReason && (
            <p className="notice warn">{t(found.disabledReason === 'gone' ? 'webhookGone' : 'webhookDisabled')}</p>
          )}
          <Details
            items={[
              [t('address'), <code key="url">{found.url}</code>],
              [t('topics'), <CodeList key="topics" items={found.topics} />],
              [t('failingSince'), found.failingSince && <TimeAgo time={found.failingSince} />],
              [t('space'), found.spaceId && <ResourceName id={found.spaceId} />],
              [t('createdBy'), <ResourceName key="who" id={found.createdBy} />],
              [t('created'), <TimeAgo key="created" time={found.createdAt} />],
            ]}
          />
          <Deliveries webhook={found} />
          <ShowJson value={found} />
        </>
      )}
    </ObjectView>
  )
}

function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { t, duration } = useTranslation()
  const path = usePath()
  const [, navigate] = useLocation()
  const refresh = useRefresh()
  const [editing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  const params = { path: { webhookId: webhook.id } }
  const ping = useAction(
    () => unwrap(api.POST('/api/v1/webhooks/{webhookId}/ping', { params })),
    [],
    ({ data: { success, statusCode, durationMs, error } }) =>
      success
        ? toast(t('pingSucceeded', { status: String(statusCode), time: duration(durationMs) }))
        : toast(t('pingFailed', { reason: error ?? `HTTP ${statusCode}` }), 'error'),
  )
  const toggle = useAction(
    () => unwrap(api.PATCH('/api/v1/webhooks/{webhookId}', { params, body: { active: !webhook.active } })),
    ['webhooks'],
  )
  const rotate = useAction(
    () => unwrap(api.POST('/api/v1/webhooks/{webhookId}/rotate-secret', { params })),
    ['webhooks'],
    ({ data }) => setSecret(data.secret),
  )
  return (
    <>
      <Menu
        label={t('more')}
        entries={[
          { id: 'edit', label: t('edit'), run: () => setEditing(true) },
          { id: 'toggle', label: t(webhook.active ? 'disable' : 'enable'), run: () => toggle.mutate() },
          { id: 'secret', label: t('newSecret'), run: () => rotate.mutate() },
        ]}
      >
        {t('more')}
      </Menu>
      <DeleteButton
        name={webhook.url}
        kind="danger"
        text={t('deleteItem', { name: webhook.url })}
        onDelete={() => unwrap(api.DELETE('/api/v1/webhooks/{webhookId}', { params }))}
        onDone={() => navigate(path('webhooks'))}
        invalidates={['webhooks']}
      />
      <Button kind="primary" busy={ping.isPending} onClick={() => ping.mutate()}>
        {t('ping')}
      </Button>
      {editing && (
        <FormDialog
          title={t('editWebhook')}
          action={t('save')}
          fields={buildWebhookFields(t, webhook)}
          submit={({ url, topics = '', description }) => {
            const body = { url, topics: parseTopics(topics), description: description || null }
            return unwrap(api.PATCH('/api/v1/webhooks/{webhookId}', { params, body }))
          }}
          onDone={() => {
            refresh('webhooks', 'resource')
            setEditing(false)
          }}
          onClose={() => setEditing(false)}
        />
      )}
      {secret && <OneTimeValue title={t('signingSecret')} value={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
