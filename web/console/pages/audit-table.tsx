/** Entries of the audit log, with the names of those who acted and what they acted on. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import type { TableColumn } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { hasName, ResourceName } from '../parts/names.tsx'
import { Details, ShowJson, TimeAgo } from '../parts/page.tsx'
import { PagedTable, type Pages } from '../parts/paging.tsx'

type AuditEntry = Shape<'AuditEntry'>

interface AuditFilter {
  actorId?: string
  action?: string
}

export const AUDIT_ACTIONS: Record<string, TextKey> = {
  'accounts.update': 'auditAccountUpdate',
  'agents.assignRole': 'auditAgentRole',
  'agents.removeRole': 'auditAgentRoleRemoved',
  'auth.createKey': 'auditKeyCreated',
  'auth.createToken': 'auditTokenCreated',
  'auth.listKeys': 'auditKeysViewed',
  'auth.publishableKey': 'auditPublishableViewed',
  'auth.removeKey': 'auditKeyDeleted',
  'auth.removeToken': 'auditTokenDeleted',
  'auth.ssoConfigure': 'auditSsoChanged',
  'auth.ssoRemove': 'auditSsoRemoved',
  'environments.create': 'auditEnvironmentCreated',
  'environments.remove': 'auditEnvironmentDeleted',
  'environments.update': 'auditEnvironmentChanged',
  'guests.assignRole': 'auditGuestRole',
  'guests.create': 'auditGuestCreated',
  'guests.remove': 'auditGuestRemoved',
  'guests.removeRole': 'auditGuestRoleRemoved',
  'guests.token': 'auditGuestToken',
  'guests.update': 'auditGuestChanged',
  'invitations.create': 'auditInvitationSent',
  'invitations.list': 'auditInvitationsViewed',
  'secrets.list': 'auditSecretsViewed',
  'spaces.rotateGuestLink': 'auditGuestLinkReplaced',
  'users.assignRole': 'auditUserRole',
  'users.createApiToken': 'auditTokenCreated',
  'users.invite': 'auditUserInvited',
  'users.remove': 'auditUserDeleted',
  'users.removeRole': 'auditUserRoleRemoved',
  'users.resendInvite': 'auditUserInvitedAgain',
  'users.update': 'auditUserChanged',
  'webhooks.create': 'auditWebhookCreated',
  'webhooks.remove': 'auditWebhookDeleted',
  'webhooks.rotateSecret': 'auditWebhookSecret',
  'webhooks.update': 'auditWebhookChanged',
}

const PAGE_SIZE = 25

export function useAudit(filter: AuditFilter): Pages<AuditEntry> {
  const audit = useInfiniteQuery({
    queryKey: ['audit', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) =>
      unwrap(api.GET('/api/v1/audit', { params: { query: { ...filter, before, pageSize: PAGE_SIZE } } })),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
  return {
    query: { data: audit.data?.pages.flatMap(({ data }) => data), error: audit.error, refetch: audit.refetch },
    total: undefined,
    more: {
      hasMore: audit.hasNextPage,
      isLoading: audit.isFetchingNextPage,
      load: () => void audit.fetchNextPage(),
    },
  }
}

function useActionName(): (action: string) => string {
  const { t } = useTranslation()
  return (action) => (AUDIT_ACTIONS[action] ? t(AUDIT_ACTIONS[action]) : action)
}

interface Props {
  list: Pages<AuditEntry>
  empty: string
  hideActor?: boolean
}

export function AuditTable({ list, empty, hideActor = false }: Props) {
  const { t } = useTranslation()
  const getActionName = useActionName()
  const [open, setOpen] = useState<AuditEntry>()
  const columns: (TableColumn<AuditEntry> | false)[] = [
    {
      id: 'action',
      title: t('action'),
      isMain: true,
      render: (entry) => (
        <button type="button" className="link-button" onClick={() => setOpen(entry)}>
          {getActionName(entry.action)}
        </button>
      ),
    },
    {
      id: 'about',
      title: t('about'),
      render: ({ resources }) => <ResourceName id={findSubject(resources)} withKind />,
    },
    !hideActor && { id: 'who', title: t('who'), render: ({ actorId }) => <ResourceName id={actorId} /> },
    { id: 'address', title: t('ipAddress'), render: ({ address }) => <span dir="ltr">{address}</span> },
    { id: 'when', title: t('when'), render: ({ createdAt }) => <TimeAgo time={createdAt} /> },
  ]
  return (
    <>
      <PagedTable
        label={t('audit')}
        list={list}
        columns={columns.filter((column) => column !== false)}
        rowKey={({ id }) => id}
        empty={empty}
      />
      {open && <AuditDialog entry={open} title={getActionName(open.action)} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** The narrowest of the resources, if possible one with a name; the account is in every entry. */
const findSubject = (resources: readonly string[]): string | undefined =>
  resources.toSorted((a, b) => rank(a) - rank(b))[0]

const rank = (id: string): number => (isContainer(id) ? 2 : hasName(id) ? 0 : 1)

const isContainer = (id: string): boolean => id.startsWith('us_acc') || id.startsWith('us_env')

function AuditDialog({ entry, title, onClose }: { entry: AuditEntry; title: string; onClose(): void }) {
  const { t, date } = useTranslation()
  return (
    <Dialog title={title} place="end" wide onClose={onClose}>
      <Details
        items={[
          [t('who'), <ResourceName key="who" id={entry.actorId} withKind />],
          [t('role'), entry.role],
          [t('when'), date(entry.createdAt)],
          [t('ipAddress'), entry.address],
          [t('browser'), entry.userAgent],
          [
            t('about'),
            <ul key="about">
              {entry.resources.map((id) => (
                <li key={id}>
                  <ResourceName id={id} withKind />
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
      <Changes entry={entry} />
      <ShowJson value={entry} />
      <div className="actions">
        <Button onClick={onClose}>{t('close')}</Button>
      </div>
    </Dialog>
  )
}

/** The fields that differ, each with its value before and after. */
function Changes({ entry: { before, after } }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  const [old, next] = [toFields(before), toFields(after)]
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  const changed = keys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(next[key]) && key !== 'updatedAt')
  if (changed.length === 0) return null
  return (
    <table className="changes">
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{t('before')}</th>
          <th scope="col">{t('after')}</th>
        </tr>
      </thead>
      <tbody>
        {changed.map((key) => (
          <tr key={key}>
            <td>
              <code>{key}</code>
            </td>
            <td dir="auto">{toText(old[key])}</td>
            <td dir="auto">{toText(next[key])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const toFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const toText = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
