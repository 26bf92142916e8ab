import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { type Guest, type PageProps, usePath } from '../data.ts'
import { InviteDialog } from '../parts/invite.tsx'
import { ResourceName } from '../parts/names.tsx'
import { PageHeader, TimeAgo } from '../parts/page.tsx'
import { PagedTable, useFilter, usePages } from '../parts/paging.tsx'
import { LastSeen } from '../space/guests.tsx'

const getLastSeen = ({ spaces }: Guest): string | undefined =>
  spaces
    .flatMap(({ lastAccessed }) => lastAccessed ?? [])
    .sort()
    .at(-1)

export default function Guests({ environment }: PageProps) {
  const { t } = useTranslation()
  const path = usePath()
  const [email, setEmail] = useFilter('email')
  const [inviting, setInviting] = useState(false)
  const list = usePages(['guests', environment.id, email], (page) => {
    const query = { environmentId: environment.id, email: email || undefined, ...page }
    return unwrap(api.GET('/api/v1/guests', { params: { query } }))
  })
  return (
    <>
      <PageHeader title={t('guests')} text={t('guestsText')}>
        <Button kind="primary" onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      </PageHeader>
      <div className="filters">
        <SearchField label={t('findByEmail')} value={email} onChange={setEmail} />
      </div>
      <PagedTable
        label={t('guests')}
        list={list}
        rowKey={({ id }) => id}
        rowHref={({ id }) => path('guests', id)}
        empty={t(email ? 'nothingFound' : 'noGuests')}
        columns={[
          {
            id: 'name',
            title: t('name'),
            isMain: true,
            sortValue: ({ name }) => name,
            render: ({ name, email: address }) => <bdi>{name || address}</bdi>,
          },
          {
            id: 'email',
            title: t('email'),
            sortValue: (guest) => guest.email,
            render: (guest) => <bdi>{guest.email}</bdi>,
          },
          { id: 'spaces', title: t('spaces'), render: (guest) => <GuestSpaces guest={guest} /> },
          {
            id: 'seen',
            title: t('lastSeen'),
            sortValue: getLastSeen,
            render: (guest) => <LastSeen time={getLastSeen(guest)} />,
          },
          {
            id: 'created',
            title: t('created'),
            sortValue: ({ createdAt }) => createdAt,
            render: ({ createdAt }) => <TimeAgo time={createdAt} />,
          },
        ]}
      />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  )
}

/** One space by its name, several by their number. */
function GuestSpaces({ guest: { spaces } }: { guest: Guest }) {
  const { number } = useTranslation()
  return spaces.length === 1 ? <ResourceName id={spaces[0]!.id} /> : number(spaces.length)
}
