import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { accountQuery, environmentsQuery, rolesQuery, usePath } from '../data.ts'
import { useRefresh } from '../parts/actions.tsx'
import { FormDialog } from '../parts/forms.tsx'
import { PageHeader, TimeAgo } from '../parts/page.tsx'
import { PagedTable, useFilter, usePages } from '../parts/paging.tsx'
import { buildPersonColumns } from '../parts/people-columns.tsx'
import { LastSeen } from '../space/guests.tsx'

export default function Users() {
  const { t } = useTranslation()
  const path = usePath()
  const [search, setSearch] = useFilter('search')
  const [inviting, setInviting] = useState(false)
  const list = usePages(['users', search], (page) =>
    unwrap(api.GET('/api/v1/users', { params: { query: { search: search || undefined, ...page } } })),
  )
  return (
    <>
      <PageHeader title={t('users')} text={t('usersText')}>
        <Button kind="primary" onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      </PageHeader>
      <div className="filters">
        <SearchField label={t('searchUsers')} value={search} onChange={setSearch} />
      </div>
      <PagedTable
        label={t('users')}
        list={list}
        rowKey={({ id }) => id}
        rowHref={({ id }) => path('users', id)}
        empty={t('nothingFound')}
        columns={[
          ...buildPersonColumns<Shape<'User'>>(t),
          {
            id: 'seen',
            title: t('lastSeen'),
            sortValue: ({ lastSeenAt }) => lastSeenAt,
            render: ({ lastSeenAt }) => <LastSeen time={lastSeenAt} />,
          },
          {
            id: 'created',
            title: t('created'),
            sortValue: ({ createdAt }) => createdAt,
            render: ({ createdAt }) => <TimeAgo time={createdAt} />,
          },
        ]}
      />
      {inviting && <InviteUser onClose={() => setInviting(false)} />}
    </>
  )
}

export function useRoleTargets() {
  const { t } = useTranslation()
  const account = useQuery(accountQuery)
  const environments = useQuery(environmentsQuery)
  return [
    ...(account.data ? [{ value: account.data.id, label: t('wholeAccount') }] : []),
    ...(environments.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
}

const isForPeople = ({ name }: { name: string }): boolean => !/guest|agent/i.test(name)

export function useRoleFields() {
  const { t } = useTranslation()
  const targets = useRoleTargets()
  const roles = useQuery(rolesQuery).data?.filter(isForPeople)
  if (!roles || targets.length === 0) return undefined
  return [
    { name: 'roleId', label: t('role'), options: roles.map(({ id, name }) => ({ value: id, label: name })) },
    { name: 'resourceId', label: t('where'), options: targets },
  ]
}

function InviteUser({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const refresh = useRefresh()
  const roleFields = useRoleFields()
  if (!roleFields) return null
  return (
    <FormDialog
      title={t('invite')}
      action={t('sendInvite')}
      fields={[{ name: 'email', label: t('email'), type: 'email' }, { name: 'name', label: t('name') }, ...roleFields]}
      submit={async ({ email = '', name = '', roleId = '', resourceId = '' }) => {
        const body = { email, name, actorRoles: [{ roleId, resourceId }] }
        await unwrap(api.POST('/api/v1/users/invite', { body }))
        return email
      }}
      onDone={(email) => {
        refresh('users')
        toast(t('invited', { email }))
        onClose()
      }}
      onClose={onClose}
    />
  )
}
