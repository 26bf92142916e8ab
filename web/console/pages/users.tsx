import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { DataTable, DeleteButton, FormDialog, PageHeader, useAction } from '../components.tsx'
import { accountQuery, environmentsQuery } from '../data.ts'

type User = Shape<'User'>

function useResources() {
  const { t } = useTranslation()
  const account = useQuery(accountQuery)
  const environments = useQuery(environmentsQuery)
  return [
    ...(account.data ? [{ value: account.data.id, label: t('wholeAccount') }] : []),
    ...(environments.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
}

const rolesQuery = {
  queryKey: ['roles'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/roles'))).data,
}

export default function Users() {
  const { t, date } = useTranslation()
  const [inviting, setInviting] = useState(false)
  const [openUser, setOpenUser] = useState<User>()
  const resources = useResources()
  const roles = useQuery(rolesQuery)
  const users = useQuery({
    queryKey: ['users'],
    queryFn: async () => (await unwrap(api.GET('/api/v1/users', { params: { query: { pageSize: 200 } } }))).data,
  })
  const refresh = useAction(async () => undefined, ['users'])
  const resend = useAction(
    (userId: string) => unwrap(api.POST('/api/v1/users/{userId}/resend-invite', { params: { path: { userId } } })),
    ['users'],
    () => toast(t('emailSent')),
  )
  return (
    <>
      <PageHeader title={t('users')} text={t('usersText')}>
        <Button kind="primary" onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      </PageHeader>
      <QueryView query={users}>
        {(all) => (
          <DataTable
            name={t('users')}
            rows={all}
            empty={t('nothingFound')}
            columns={[
              { title: t('name'), cell: ({ name }) => name },
              { title: t('email'), wide: true, cell: ({ email }) => email },
              { title: t('lastSeen'), cell: (user) => (user.lastSeenAt ? date(user.lastSeenAt) : t('neverSignedIn')) },
              {
                title: t('actions'),
                cell: (user) => (
                  <>
                    <Button kind="ghost" aria-label={`${t('roles')}: ${user.email}`} onClick={() => setOpenUser(user)}>
                      {t('roles')}
                    </Button>
                    {!user.lastSeenAt && (
                      <Button
                        kind="ghost"
                        aria-label={`${t('resend')}: ${user.email}`}
                        onClick={() => resend.mutate(user.id)}
                      >
                        {t('resend')}
                      </Button>
                    )}
                    <DeleteButton
                      name={user.email}
                      text={t('deleteItem', { name: user.email })}
                      onDelete={() =>
                        unwrap(api.DELETE('/api/v1/users/{userId}', { params: { path: { userId: user.id } } }))
                      }
                      invalidates={['users']}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {inviting && (
        <FormDialog
          title={t('invite')}
          action={t('sendInvite')}
          fields={[
            { name: 'email', label: t('email'), type: 'email' },
            { name: 'name', label: t('name') },
            {
              name: 'roleId',
              label: t('role'),
              options: (roles.data ?? [])
                .filter(({ name }) => !/guest|agent/i.test(name))
                .map(({ id, name }) => ({ value: id, label: name })),
            },
            { name: 'resourceId', label: t('where'), options: resources },
          ]}
          submit={({ email = '', name = '', roleId = '', resourceId = '' }) =>
            unwrap(api.POST('/api/v1/users/invite', { body: { email, name, actorRoles: [{ roleId, resourceId }] } }))
          }
          onDone={() => {
            setInviting(false)
            refresh.mutate()
          }}
          onClose={() => setInviting(false)}
        />
      )}
      {openUser && (
        <Dialog title={openUser.email} place="end" wide onClose={() => setOpenUser(undefined)}>
          <Roles user={openUser} resources={resources} />
        </Dialog>
      )}
    </>
  )
}

function Roles({ user, resources }: { user: User; resources: { value: string; label: string }[] }) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  const path = { userId: user.id }
  const allRoles = useQuery(rolesQuery)
  const roles = useQuery({
    queryKey: ['user-roles', user.id],
    queryFn: async () => (await unwrap(api.GET('/api/v1/users/{userId}/roles', { params: { path } }))).data,
  })
  const refresh = useAction(async () => undefined, ['user-roles'])
  const getRoleName = (roleId: string) => allRoles.data?.find(({ id }) => id === roleId)?.name ?? roleId
  return (
    <>
      <Button onClick={() => setAdding(true)}>{t('assignRole')}</Button>
      <QueryView query={roles}>
        {(all) => (
          <DataTable
            name={t('roles')}
            rows={all}
            empty={t('nothingFound')}
            columns={[
              { title: t('role'), cell: ({ roleId }) => getRoleName(roleId) },
              {
                title: t('where'),
                wide: true,
                cell: ({ resourceId }) => resources.find(({ value }) => value === resourceId)?.label ?? resourceId,
              },
              {
                title: t('actions'),
                cell: (assignment) => (
                  <DeleteButton
                    name={getRoleName(assignment.roleId)}
                    label={t('removeAccess')}
                    text={t('removeAccessText', { name: user.name })}
                    onDelete={() =>
                      unwrap(
                        api.DELETE('/api/v1/users/{userId}/roles/{actorRoleId}', {
                          params: { path: { ...path, actorRoleId: assignment.id } },
                        }),
                      )
                    }
                    invalidates={['user-roles']}
                  />
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {adding && (
        <FormDialog
          title={t('assignRole')}
          action={t('assignRole')}
          fields={[
            {
              name: 'roleId',
              label: t('role'),
              options: (allRoles.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            },
            { name: 'resourceId', label: t('where'), options: resources },
          ]}
          submit={({ roleId = '', resourceId = '' }) =>
            unwrap(api.POST('/api/v1/users/{userId}/roles', { params: { path }, body: { roleId, resourceId } }))
          }
          onDone={() => {
            setAdding(false)
            refresh.mutate()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
