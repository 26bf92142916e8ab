/** The spaces of an environment: made, changed, opened, archived, deleted. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, ask, type Shape } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, CheckField } from '../../shared/ui/controls.tsx'
import { Copy } from '../../shared/ui/copy.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import type { Given } from '../data.ts'
import { guestsInviteField, invites, withInvites } from '../guests-invite.ts'
import { FormDialog, Head, Remove, Table, useDoing } from '../parts.tsx'

type Space = Shape<'Space'>

export default function Spaces({ environment }: Given) {
  const { t, date, number } = useTexts()
  const [search, setSearch] = useState('')
  const [archived, setArchived] = useState(false)
  const [editing, setEditing] = useState<Space | 'new'>()
  const spaces = useQuery({
    queryKey: ['spaces', environment.id, search, archived],
    queryFn: () =>
      ask(
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
  const archive = useDoing(
    (spaceId: string) => ask(api.POST('/api/v1/spaces/{spaceId}/archive', { params: { path: { spaceId } } })),
    ['spaces'],
  )
  const unarchive = useDoing(
    (spaceId: string) => ask(api.POST('/api/v1/spaces/{spaceId}/unarchive', { params: { path: { spaceId } } })),
    ['spaces'],
  )
  const create = useDoing(async () => undefined, ['spaces'])
  return (
    <>
      <Head title={t('spaces')}>
        <input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <CheckField label={t('archived')} checked={archived} onChange={(event) => setArchived(event.target.checked)} />
        <Button kind="primary" onClick={() => setEditing('new')}>
          {t('newSpace')}
        </Button>
      </Head>
      <Shown of={spaces}>
        {({ data }) => (
          <Table
            name={t('spaces')}
            rows={data}
            empty={t('nothingFound')}
            columns={[
              {
                title: t('name'),
                wide: true,
                cell: (each) => <Link href={`/s/${each.id}`}>{each.name || each.id}</Link>,
              },
              {
                title: t('sheetsAndFiles'),
                cell: (each) => `${number(each.workbooksCount ?? 0)} / ${number(each.filesCount ?? 0)}`,
              },
              { title: t('lastActivity'), cell: (each) => date(each.lastActivityAt ?? each.updatedAt) },
              {
                title: t('guestLink'),
                cell: (each) =>
                  each.guestLink && <Copy value={each.guestLink} name={`${t('guestLink')} ${each.name}`} />,
              },
              {
                title: t('actions'),
                cell: (each) => (
                  <>
                    <Button kind="ghost" aria-label={`${t('edit')}: ${each.name}`} onClick={() => setEditing(each)}>
                      {t('edit')}
                    </Button>
                    <Button
                      kind="ghost"
                      aria-label={`${each.archivedAt ? t('unarchive') : t('archive')}: ${each.name}`}
                      onClick={() => (each.archivedAt ? unarchive : archive).mutate(each.id)}
                    >
                      {each.archivedAt ? t('unarchive') : t('archive')}
                    </Button>
                    <Remove
                      name={each.name}
                      text={t('deleteForGood', { name: each.name })}
                      work={() =>
                        ask(api.DELETE('/api/v1/spaces/{spaceId}', { params: { path: { spaceId: each.id } } }))
                      }
                      touched={['spaces']}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </Shown>
      {editing && (
        <SpaceDialog
          environment={environment}
          edited={editing === 'new' ? undefined : editing}
          onDone={() => {
            setEditing(undefined)
            create.mutate()
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

interface Edited extends Given {
  edited: Space | undefined
  onDone(): void
  onClose(): void
}

/** Makes a space, or changes one: what it does not decide, its environment does. */
function SpaceDialog({ environment, edited, onDone, onClose }: Edited) {
  const { t } = useTexts()
  return (
    <FormDialog
      title={edited ? edited.name : t('newSpace')}
      action={edited ? t('keep') : t('create')}
      fields={[
        { name: 'name', label: t('name'), initial: edited?.name },
        {
          name: 'guestAuthentication',
          label: t('guestsComeBy'),
          optional: true,
          initial: edited?.inheritsGuestAuthentication === false ? edited.guestAuthentication : '',
          options: [
            { value: '', label: t('asEnvironment') },
            { value: 'magic_link', label: t('magicLink') },
            { value: 'shared_link', label: t('sharedLink') },
          ],
        },
        guestsInviteField(t, invites(edited?.metadata), true),
      ]}
      submit={({ name, guestAuthentication, guestsInvite }): Promise<unknown> => {
        const way = (guestAuthentication || null) as 'magic_link' | null
        const metadata = withInvites(edited?.metadata, guestsInvite)
        const { id: environmentId } = environment
        return edited
          ? ask(
              api.PATCH('/api/v1/spaces/{spaceId}', {
                params: { path: { spaceId: edited.id } },
                body: { name, guestAuthentication: way, metadata },
              }),
            )
          : ask(
              api.POST('/api/v1/spaces', {
                body: { name, environmentId, autoConfigure: true, guestAuthentication: way ?? undefined, metadata },
              }),
            )
      }}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
