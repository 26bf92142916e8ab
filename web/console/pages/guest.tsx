import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { type Guest, type ObjectPageProps, objectQuery, spaceNamesQuery, usePath } from '../data.ts'
import { DeleteButton, useRefresh } from '../parts/actions.tsx'
import { FormDialog } from '../parts/forms.tsx'
import { InviteButtons } from '../parts/invite.tsx'
import { ResourceName } from '../parts/names.tsx'
import { Details, ObjectView, PageHeader, Section, ShowJson, TimeAgo } from '../parts/page.tsx'
import { AccessKind, LastSeen, RemoveAccess } from '../space/guests.tsx'

export default function GuestPage({ id }: ObjectPageProps) {
  const { t } = useTranslation()
  const path = usePath()
  const guest = useQuery(
    objectQuery(['guest', id], () =>
      unwrap(api.GET('/api/v1/guests/{guestId}', { params: { path: { guestId: id } } })),
    ),
  )
  const parent = { title: t('guests'), href: path('guests') }
  return (
    <ObjectView query={guest} parent={parent}>
      {(found) => (
        <>
          <PageHeader title={found.name || found.email} parent={parent}>
            <GuestActions guest={found} />
          </PageHeader>
          <Details
            items={[
              [t('name'), found.name],
              [t('email'), found.email],
              [t('created'), <TimeAgo key="created" time={found.createdAt} />],
            ]}
          />
          <GuestAccess guest={found} />
          <ShowJson value={found} />
        </>
      )}
    </ObjectView>
  )
}

function GuestActions({ guest }: { guest: Guest }) {
  const { t } = useTranslation()
  const path = usePath()
  const [, navigate] = useLocation()
  const refresh = useRefresh()
  const [editing, setEditing] = useState(false)
  const params = { path: { guestId: guest.id } }
  return (
    <>
      <DeleteButton
        name={guest.name || guest.email}
        kind="danger"
        text={t('deleteItem', { name: guest.name || guest.email })}
        onDelete={() => unwrap(api.DELETE('/api/v1/guests/{guestId}', { params }))}
        onDone={() => navigate(path('guests'))}
        invalidates={['guests']}
      />
      <Button onClick={() => setEditing(true)}>{t('edit')}</Button>
      {editing && (
        <FormDialog
          title={t('editGuest')}
          action={t('save')}
          fields={[
            { name: 'name', label: t('name'), initial: guest.name },
            { name: 'email', label: t('email'), type: 'email', initial: guest.email },
          ]}
          submit={({ name, email }) => unwrap(api.PATCH('/api/v1/guests/{guestId}', { params, body: { name, email } }))}
          onDone={() => {
            refresh('guest', 'guests', 'resource')
            setEditing(false)
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  )
}

function GuestAccess({ guest }: { guest: Guest }) {
  const { t } = useTranslation()
  const spaces = useQuery(spaceNamesQuery(guest.environmentId)).data ?? []
  const [adding, setAdding] = useState(false)
  const getSpaceName = (id: string) => spaces.find((space) => space.id === id)?.name ?? ''
  return (
    <Section title={t('access')} actions={<Button onClick={() => setAdding(true)}>{t('addAccess')}</Button>}>
      <DataTable
        label={t('access')}
        rows={guest.spaces}
        rowKey={({ id }) => id}
        empty={t('noAccess')}
        columns={[
          { id: 'space', title: t('space'), isMain: true, render: ({ id }) => <ResourceName id={id} /> },
          { id: 'kind', title: t('access'), render: (access) => <AccessKind access={access} /> },
          { id: 'seen', title: t('lastSeen'), render: ({ lastAccessed }) => <LastSeen time={lastAccessed} /> },
          {
            id: 'actions',
            title: t('actions'),
            render: ({ id }) => (
              <span className="row-actions">
                <InviteButtons access={{ guestId: guest.id, spaceId: id }} name={getSpaceName(id)} />
                <RemoveAccess guest={guest} spaceId={id} spaceName={getSpaceName(id)} />
              </span>
            ),
          },
        ]}
      />
      {adding && <AddAccess guest={guest} onClose={() => setAdding(false)} />}
    </Section>
  )
}

function AddAccess({ guest, onClose }: { guest: Guest; onClose(): void }) {
  const { t } = useTranslation()
  const refresh = useRefresh()
  const { environmentId, email, name } = guest
  const known = new Set(guest.spaces.map(({ id }) => id))
  const spaces = useQuery(spaceNamesQuery(environmentId)).data?.filter(({ id }) => !known.has(id))
  if (!spaces) return null
  return (
    <FormDialog
      title={t('addAccess')}
      action={t('sendInvite')}
      fields={[
        {
          name: 'spaceId',
          label: t('space'),
          options: spaces.map((space) => ({ value: space.id, label: space.name })),
        },
        { name: 'message', label: t('message'), type: 'area', optional: true },
      ]}
      submit={async ({ spaceId = '', message }) => {
        await unwrap(api.POST('/api/v1/guests', { body: [{ environmentId, email, name, spaces: [{ id: spaceId }] }] }))
        await unwrap(
          api.POST('/api/v1/invitations', { body: [{ guestId: guest.id, spaceId, message: message || undefined }] }),
        )
      }}
      onDone={() => {
        refresh('guest', 'guests')
        onClose()
      }}
      onClose={onClose}
    />
  )
}
