import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type ObjectPageProps, objectQuery, rolesQuery, usePath } from '../data.ts'
import { DeleteButton, useAction, useRefresh } from '../parts/actions.tsx'
import { FormDialog } from '../parts/forms.tsx'
import { ResourceName } from '../parts/names.tsx'
import { Details, ObjectView, PageHeader, Section, ShowJson, TimeAgo } from '../parts/page.tsx'
import { LastSeen } from '../space/guests.tsx'
import { AuditTable, useAudit } from './audit-table.tsx'
import { useRoleFields, useRoleTargets } from './users.tsx'

type User = Shape<'User'>

export default function UserPage({ id }: ObjectPageProps) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useQuery(
    objectQuery(['user', id], () => unwrap(api.GET('/api/v1/users/{userId}', { params: { path: { userId: id } } }))),
  )
  const parent = { title: t('users'), href: path('users') }
  return (
    <ObjectView query={user} parent={parent}>
      {(found) => (
        <>
          <PageHeader title={found.name || found.email} parent={parent}>
            <UserActions user={found} />
          </PageHeader>
          <Details
            items={[
              [t('name'), found.name],
              [t('email'), found.email],
              [t('lastSeen'), <LastSeen key="seen" time={found.lastSeenAt} />],
              [t('created'), <TimeAgo key="created" time={found.createdAt} />],
            ]}
          />
          <UserRoles user={found} />
          <UserActivity user={found} />
          <ShowJson value={found} />
        </>
      )}
    </ObjectView>
  )
}

function UserActions({ user }: { user: User }) {
  const { t } = useTranslation()
  const path = usePath()
  const [, navigate] = useLocation()
  const params = { path: { userId: user.id } }
  const resend = useAction(
    () => unwrap(api.POST('/api/v1/users/{userId}/resend-invite', { params })),
    ['users'],
    () => toast(t('emailSent')),
  )
  return (
    <>
      <DeleteButton
        name={user.name || user.email}
        kind="danger"
        text={t('deleteItem', { name: user.name || user.email })}
        onDelete={() => unwrap(api.DELETE('/api/v1/users/{userId}', { params }))}
        onDone={() => navigate(path('users'))}
        invalidates={['users']}
      />
      {!user.lastSeenAt && (
        <Button busy={resend.isPending} onClick={() => resend.mutate()}>
          {t('resendInvitation')}
        </Button>
      )}
    </>
  )
}

function UserRoles({ user }: { user: User }) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  const path = { userId: user.id }
  const allRoles = useQuery(rolesQuery)
  const targets = useRoleTargets()
  const roles = useQuery(
    objectQuery(['user-roles', user.id], () => unwrap(api.GET('/api/v1/users/{userId}/roles', { params: { path } }))),
  )
  const getRoleName = (roleId: string) => allRoles.data?.find(({ id }) => id === roleId)?.name ?? t('role')
  const findTarget = (id: string) => targets.find(({ value }) => value === id)?.label
  return (
    <Section title={t('roles')} actions={<Button onClick={() => setAdding(true)}>{t('assignRole')}</Button>}>
      <QueryView query={roles}>
        {(assignments) => (
          <DataTable
            label={t('roles')}
            rows={assignments}
            rowKey={({ id }) => id}
            empty={t('noRoles')}
            columns={[
              { id: 'role', title: t('role'), isMain: true, render: ({ roleId }) => getRoleName(roleId) },
              {
                id: 'where',
                title: t('where'),
                render: ({ resourceId }) => findTarget(resourceId) ?? <ResourceName id={resourceId} withKind />,
              },
              { id: 'since', title: t('since'), render: ({ createdAt }) => <TimeAgo time={createdAt} /> },
              {
                id: 'actions',
                title: t('actions'),
                render: (assignment) => (
                  <DeleteButton
                    name={getRoleName(assignment.roleId)}
                    label={t('removeAccess')}
                    text={t('removeAccessText', { name: user.name || user.email })}
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
      {adding && <AddRole user={user} onClose={() => setAdding(false)} />}
    </Section>
  )
}

function AddRole({ user, onClose }: { user: User; onClose(): void }) {
  const { t } = useTranslation()
  const refresh = useRefresh()
  const fields = useRoleFields()
  if (!fields) return null
  return (
    <FormDialog
      title={t('assignRole')}
      action={t('assignRole')}
      fields={fields}
      submit={({ roleId = '', resourceId = '' }) =>
        unwrap(
          api.POST('/api/v1/users/{userId}/roles', {
            params: { path: { userId: user.id } },
            body: { roleId, resourceId },
          }),
        )
      }
      onDone={() => {
        refresh('user-roles')
        onClose()
      }}
      onClose={onClose}
    />
  )
}

function UserActivity({ user }: { user: User }) {
  const { t } = useTranslation()
  const list = useAudit({ actorId: user.id })
  return (
    <Section title={t('audit')}>
      <AuditTable list={list} empty={t('noAudit')} hideActor />
    </Section>
  )
}
