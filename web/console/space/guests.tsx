import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { type Guest, type Space, usePath } from '../data.ts'
import { DeleteButton } from '../parts/actions.tsx'
import { InviteButtons, InviteDialog } from '../parts/invite.tsx'
import { Details, TimeAgo } from '../parts/page.tsx'
import { PagedTable, usePages } from '../parts/paging.tsx'
import { buildPersonColumns } from '../parts/people-columns.tsx'
import { CopyableValue } from '../parts/values.tsx'

export function SpaceGuests({ space }: { space: Space }) {
  const { t } = useTranslation()
  const path = usePath()
  const [inviting, setInviting] = useState(false)
  const list = usePages(['guests', space.environmentId, 'space', space.id], (page) =>
    unwrap(api.GET('/api/v1/guests', { params: { query: { spaceId: space.id, ...page } } })),
  )
  const getAccess = ({ spaces }: Guest) => spaces.find(({ id }) => id === space.id)
  return (
    <>
      {space.guestLink && (
        <Details
          items={[[t('guestLink'), <CopyableValue key="link" value={space.guestLink} name={t('guestLink')} />]]}
        />
      )}
      <div className="section-head">
        <p className="muted">{t('guestsText')}</p>
        <Button kind="primary" onClick={() => setInviting(true)}>
          {t('invite')}
        </Button>
      </div>
      <PagedTable
        label={t('guests')}
        list={list}
        rowKey={({ id }) => id}
        rowHref={({ id }) => path('guests', id)}
        empty={t('noGuests')}
        columns={[
          ...buildPersonColumns<Guest>(t),
          {
            id: 'access',
            title: t('access'),
            render: (guest) => <AccessKind access={getAccess(guest)} />,
          },
          {
            id: 'seen',
            title: t('lastSeen'),
            sortValue: (guest) => getAccess(guest)?.lastAccessed,
            render: (guest) => <LastSeen time={getAccess(guest)?.lastAccessed} />,
          },
          {
            id: 'actions',
            title: t('actions'),
            render: (guest) => (
              <span className="row-actions">
                <InviteButtons access={{ guestId: guest.id, spaceId: space.id }} name={guest.name || guest.email} />
                <RemoveAccess guest={guest} spaceId={space.id} spaceName={space.name} />
              </span>
            ),
          },
        ]}
      />
      {inviting && <InviteDialog spaceId={space.id} onClose={() => setInviting(false)} />}
    </>
  )
}

export function LastSeen({ time }: { time: string | undefined }) {
  const { t } = useTranslation()
  return time ? <TimeAgo time={time} /> : <span className="muted">{t('neverSignedIn')}</span>
}

export function AccessKind({ access }: { access: Guest['spaces'][number] | undefined }) {
  const { t } = useTranslation()
  return <>{t(access?.workbooks || access?.sheets ? 'accessPartial' : 'accessWhole')}</>
}

interface RemoveAccessProps {
  guest: Guest
  spaceId: string
  spaceName: string
}

export function RemoveAccess({ guest, spaceId, spaceName }: RemoveAccessProps) {
  const { t } = useTranslation()
  const name = guest.name || guest.email
  const params = { path: { guestId: guest.id }, query: { spaceId } }
  return (
    <DeleteButton
      name={`${name} ${spaceName}`}
      label={t('removeAccess')}
      text={t('removeAccessText', { name })}
      onDelete={() => unwrap(api.DELETE('/api/v1/guests/{guestId}', { params }))}
      invalidates={['guests', 'guest']}
    />
  )
}
