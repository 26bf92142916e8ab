/** The spaces of an environment: made, opened, archived, deleted. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, CheckField } from '../../shared/ui/controls.tsx'
import { Copy } from '../../shared/ui/copy.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import type { Given } from '../data.ts'
import { FormDialog, Head, Remove, Table, useDoing } from '../parts.tsx'

export default function Spaces({ environment }: Given) {
  const { t, date, number } = useTexts()
  const [search, setSearch] = useState('')
  const [archived, setArchived] = useState(false)
  const [adding, setAdding] = useState(false)
  const spaces = useQuery({
    queryKey: ['spaces', environment.id, search, archived],
    queryFn: () =>
      ask(
        api.GET('/api/v1/spaces', {
          params: {
            query: {
              environmentId: environment.id,
              search: search || undefined,
              archived: archived ? 'true' : 'false',
              sortField: 'lastActivityAt',
              sortDirection: 'desc',
              pageSize: '100',
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
        <Button kind="primary" onClick={() => setAdding(true)}>
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
      {adding && (
        <FormDialog
          title={t('newSpace')}
          action={t('create')}
          fields={[
            { name: 'name', label: t('name') },
            {
              name: 'guestAuthentication',
              label: t('guestsComeBy'),
              options: [
                { value: 'magic_link', label: t('magicLink') },
                { value: 'shared_link', label: t('sharedLink') },
              ],
            },
          ]}
          submit={({ name, guestAuthentication }) =>
            ask(
              api.POST('/api/v1/spaces', {
                body: {
                  name,
                  environmentId: environment.id,
                  autoConfigure: true,
                  guestAuthentication: guestAuthentication as 'magic_link',
                },
              }),
            )
          }
          onDone={() => {
            setAdding(false)
            create.mutate()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
