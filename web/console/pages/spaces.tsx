import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, CheckField } from '../../shared/ui/controls.tsx'
import { CopyButton } from '../../shared/ui/copy.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, DeleteButton, FormDialog, PageHeader, useAction } from '../components.tsx'
import type { PageProps } from '../data.ts'
import { buildGuestsInviteField, readGuestsMayInvite, withGuestsMayInvite } from '../guests-invite.ts'

type Space = Shape<'Space'>

async function loadGuestLink(spaceId: string): Promise<string> {
  const { data } = await unwrap(api.GET('/api/v1/spaces/{spaceId}', { params: { path: { spaceId } } }))
  return data.guestLink ?? ''
}

export default function Spaces({ environment }: PageProps) {
  const { t, date, number } = useTranslation()
  const [, navigate] = useLocation()
  const [search, setSearch] = useState('')
  const [archived, setArchived] = useState(false)
  const [editing, setEditing] = useState<Space | 'new'>()
  const spaces = useQuery({
    queryKey: ['spaces', environment.id, search, archived],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/spaces', {
          params: {
            query: {
              environmentId: environment.id,
              search: search || undefined,
              archived,
              sortField: 'lastActivityAt',
              sortDirection: 'desc',
              pageSize: 100,
            },
          },
        }),
      ),
  })
  const archive = useAction(
    (spaceId: string) => unwrap(api.POST('/api/v1/spaces/{spaceId}/archive', { params: { path: { spaceId } } })),
    ['spaces'],
  )
  const unarchive = useAction(
    (spaceId: string) => unwrap(api.POST('/api/v1/spaces/{spaceId}/unarchive', { params: { path: { spaceId } } })),
    ['spaces'],
  )
  const refresh = useAction(async () => undefined, ['spaces'])
  return (
    <>
      <PageHeader title={t('spaces')}>
        <input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <CheckField label={t('archived')} checked={archived} onChange={(event) => setArchived(event.target.checked)} />
        <Link className="button plain" href={`/console/${environment.id}/builder`}>
          {t('newWorkbook')}
        </Link>
        <Button kind="primary" onClick={() => setEditing('new')}>
          {t('newSpace')}
        </Button>
      </PageHeader>
      <QueryView query={spaces}>
        {({ data }) => (
          <DataTable
            name={t('spaces')}
            rows={data}
            empty={t('nothingFound')}
            columns={[
              {
                title: t('name'),
                wide: true,
                cell: (space) => <Link href={`/s/${space.id}`}>{space.name || space.id}</Link>,
              },
              {
                title: t('sheetsAndFiles'),
                cell: (space) => `${number(space.workbooksCount ?? 0)} / ${number(space.filesCount ?? 0)}`,
              },
              { title: t('lastActivity'), cell: (space) => date(space.lastActivityAt ?? space.updatedAt) },
              {
                title: t('guestLink'),
                cell: (space) => (
                  <CopyButton value={() => loadGuestLink(space.id)} name={`${t('guestLink')} ${space.name}`} />
                ),
              },
              {
                title: t('actions'),
                cell: (space) => (
                  <>
                    <Button
                      kind="ghost"
                      aria-label={`${t('editFields')}: ${space.name}`}
                      onClick={() => navigate(`/console/${environment.id}/builder?space=${space.id}`)}
                    >
                      {t('editFields')}
                    </Button>
                    <Button kind="ghost" aria-label={`${t('edit')}: ${space.name}`} onClick={() => setEditing(space)}>
                      {t('edit')}
                    </Button>
                    <Button
                      kind="ghost"
                      aria-label={`${space.archivedAt ? t('unarchive') : t('archive')}: ${space.name}`}
                      onClick={() => (space.archivedAt ? unarchive : archive).mutate(space.id)}
                    >
                      {space.archivedAt ? t('unarchive') : t('archive')}
                    </Button>
                    <DeleteButton
                      name={space.name}
                      text={t('deleteForGood', { name: space.name })}
                      onDelete={() =>
                        unwrap(api.DELETE('/api/v1/spaces/{spaceId}', { params: { path: { spaceId: space.id } } }))
                      }
                      invalidates={['spaces']}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {editing && (
        <SpaceDialog
          environment={environment}
          edited={editing === 'new' ? undefined : editing}
          onDone={() => {
            setEditing(undefined)
            refresh.mutate()
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

interface SpaceDialogProps extends PageProps {
  edited: Space | undefined
  onDone(): void
  onClose(): void
}

function SpaceDialog({ environment, edited, onDone, onClose }: SpaceDialogProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={edited ? edited.name : t('newSpace')}
      action={edited ? t('save') : t('create')}
      fields={[
        { name: 'name', label: t('name'), initial: edited?.name },
        {
          name: 'guestAuthentication',
          label: t('guestSignIn'),
          optional: true,
          initial: edited?.inheritsGuestAuthentication === false ? edited.guestAuthentication : '',
          options: [
            { value: '', label: t('sameAsEnvironment') },
            { value: 'magic_link', label: t('magicLink') },
            { value: 'shared_link', label: t('sharedLink') },
          ],
        },
        buildGuestsInviteField(t, readGuestsMayInvite(edited?.metadata), true),
      ]}
      submit={({ name, guestAuthentication, guestsInvite }): Promise<unknown> => {
        const guestAuthenticationChoice = (guestAuthentication || null) as 'magic_link' | null
        const metadata = withGuestsMayInvite(edited?.metadata, guestsInvite)
        const { id: environmentId } = environment
        return edited
          ? unwrap(
              api.PATCH('/api/v1/spaces/{spaceId}', {
                params: { path: { spaceId: edited.id } },
                body: { name, guestAuthentication: guestAuthenticationChoice, metadata },
              }),
            )
          : unwrap(
              api.POST('/api/v1/spaces', {
                body: {
                  name,
                  environmentId,
                  autoConfigure: true,
                  guestAuthentication: guestAuthenticationChoice ?? undefined,
                  metadata,
                },
              }),
            )
      }}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
