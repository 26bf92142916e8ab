/** Colleagues: invited, given roles, removed. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask, type Shape } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { accountQuery, environmentsQuery } from '../data.ts'
import { FormDialog, Head, Remove, Table, useDoing } from '../parts.tsx'

type User = Shape<'User'>

/** What a role can be given on: the account, or one environment. */
function useResources() {
  const { t } = useTexts()
  const account = useQuery(accountQuery)
  const environments = useQuery(environmentsQuery)
  return [
    ...(account.data ? [{ value: account.data.id, label: t('wholeAccount') }] : []),
    ...(environments.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
}

const rolesQuery = {
  queryKey: ['roles'],
  queryFn: async () => (await ask(api.GET('/api/v1/roles'))).data,
}

export default function Users() {
  const { t, date } = useTexts()
  const [inviting, setInviting] = useState(false)
  const [open, setOpen] = useState<User>()
  const resources = useResources()
  const roles = useQuery(rolesQuery)
  const users = useQuery({
    queryKey: ['users'],
    queryFn: async () => (await ask(api.GET('/api/v1/users', { params: { query: { pageSize: 200 } } }))).data,
  })
  const renew = useDoing(async () => undefined, ['users'])
  const resend = useDoing(
    (userId: string) => ask(api.POST('/api/v1/users/{userId}/resend-invite', { params: { path: { userId } } })),
    ['users'],
    () => toast(t('mailed')),
  )
  return (
    <>
      <Head title={t('users')} text={t('usersText')}>
        <Button kind="primary" onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      </Head>
      <Shown of={users}>
        {(all) => (
          <Table
            name={t('users')}
            rows={all}
            empty={t('nothingFound')}
            columns={[
              { title: t('name'), cell: ({ name }) => name },
              { title: t('email'), wide: true, cell: ({ email }) => email },
              { title: t('lastSeen'), cell: (user) => (user.lastSeenAt ? date(user.lastSeenAt) : t('neverCame')) },
              {
                title: t('actions'),
                cell: (user) => (
                  <>
                    <Button kind="ghost" aria-label={`${t('roles')}: ${user.email}`} onClick={() => setOpen(user)}>
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
                    <Remove
                      name={user.email}
                      text={t('deleteForGood', { name: user.email })}
                      work={() => ask(api.DELETE('/api/v1/users/{userId}', { params: { path: { userId: user.id } } }))}
                      touched={['users']}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </Shown>
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
            ask(api.POST('/api/v1/users/invite', { body: { email, name, actorRoles: [{ roleId, resourceId }] } }))
          }
          onDone={() => {
            setInviting(false)
            renew.mutate()
          }}
          onClose={() => setInviting(false)}
        />
      )}
      {open && (
        <Dialog title={open.email} drawer wide onClose={() => setOpen(undefined)}>
          <Roles user={open} resources={resources} />
        </Dialog>
      )}
    </>
  )
}

function Roles({ user, resources }: { user: User; resources: { value: string; label: string }[] }) {
  const { t } = useTexts()
  const [adding, setAdding] = useState(false)
  const path = { userId: user.id }
  const known = useQuery(rolesQuery)
  const roles = useQuery({
    queryKey: ['user-roles', user.id],
    queryFn: async () => (await ask(api.GET('/api/v1/users/{userId}/roles', { params: { path } }))).data,
  })
  const renew = useDoing(async () => undefined, ['user-roles'])
  const nameOf = (roleId: string) => known.data?.find(({ id }) => id === roleId)?.name ?? roleId
  return (
    <>
      <Button onClick={() => setAdding(true)}>{t('giveRole')}</Button>
      <Shown of={roles}>
        {(all) => (
          <Table
            name={t('roles')}
            rows={all}
            empty={t('nothingFound')}
            columns={[
              { title: t('role'), cell: ({ roleId }) => nameOf(roleId) },
              {
                title: t('where'),
                wide: true,
                cell: ({ resourceId }) => resources.find(({ value }) => value === resourceId)?.label ?? resourceId,
              },
              {
                title: t('actions'),
                cell: (each) => (
                  <Remove
                    name={nameOf(each.roleId)}
                    label={t('takeAway')}
                    text={t('takeAwayText', { name: user.name })}
                    work={() =>
                      ask(
                        api.DELETE('/api/v1/users/{userId}/roles/{actorRoleId}', {
                          params: { path: { ...path, actorRoleId: each.id } },
                        }),
                      )
                    }
                    touched={['user-roles']}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
      {adding && (
        <FormDialog
          title={t('giveRole')}
          action={t('giveRole')}
          fields={[
            {
              name: 'roleId',
              label: t('role'),
              options: (known.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            },
            { name: 'resourceId', label: t('where'), options: resources },
          ]}
          submit={({ roleId = '', resourceId = '' }) =>
            ask(api.POST('/api/v1/users/{userId}/roles', { params: { path }, body: { roleId, resourceId } }))
          }
          onDone={() => {
            setAdding(false)
            renew.mutate()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
