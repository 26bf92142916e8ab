import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, DeleteButton, FormDialog, PageHeader, useAction } from '../components.tsx'
import type { PageProps } from '../data.ts'

export default function Guests({ environment }: PageProps) {
  const { t, date } = useTranslation()
  const [adding, setAdding] = useState(false)
  const guests = useQuery({
    queryKey: ['guests', environment.id],
    queryFn: () =>
      unwrap(api.GET('/api/v1/guests', { params: { query: { environmentId: environment.id, pageSize: 200 } } })),
  })
  const spaces = useQuery({
    queryKey: ['spaces', environment.id, 'names'],
    queryFn: () =>
      unwrap(api.GET('/api/v1/spaces', { params: { query: { environmentId: environment.id, pageSize: 200 } } })),
  })
  const spaceNames = new Map((spaces.data?.data ?? []).map(({ id, name }) => [id, name]))
  const refresh = useAction(async () => undefined, ['guests'])
  return (
    <>
      <PageHeader title={t('guests')} text={t('guestsText')}>
        <Button kind="primary" disabled={spaceNames.size === 0} onClick={() => setAdding(true)}>
          {t('invite')}
        </Button>
      </PageHeader>
      <QueryView query={guests}>
        {({ data }) => (
          <DataTable
            name={t('guests')}
            rows={data}
            empty={t('noGuests')}
            columns={[
              { title: t('name'), cell: ({ name }) => name },
              { title: t('email'), wide: true, cell: ({ email }) => email },
              {
                title: t('access'),
                cell: (guest) => (
                  <ul>
                    {guest.spaces.map((grant) => (
                      <li key={grant.id} className="grant">
                        <span>
                          {spaceNames.get(grant.id) ?? grant.id}
                          {grant.workbooks || grant.sheets ? ` (${t('partial')})` : ''}
                        </span>{' '}
                        <span className="hint">
                          {grant.lastAccessed ? date(grant.lastAccessed) : t('neverSignedIn')}
                        </span>
                        <DeleteButton
                          name={`${guest.name} ${spaceNames.get(grant.id) ?? grant.id}`}
                          label={t('removeAccess')}
                          text={t('removeAccessText', { name: guest.name })}
                          onDelete={() =>
                            unwrap(
                              api.DELETE('/api/v1/guests/{guestId}', {
                                params: { path: { guestId: guest.id }, query: { spaceId: grant.id } },
                              }),
                            )
                          }
                          invalidates={['guests']}
                        />
                      </li>
                    ))}
                  </ul>
                ),
              },
              {
                title: t('actions'),
                cell: (guest) => (
                  <DeleteButton
                    name={guest.name}
                    text={t('deleteItem', { name: guest.name })}
                    onDelete={() =>
                      unwrap(api.DELETE('/api/v1/guests/{guestId}', { params: { path: { guestId: guest.id } } }))
                    }
                    invalidates={['guests']}
                  />
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {adding && (
        <FormDialog
          title={t('invite')}
          action={t('sendInvite')}
          fields={[
            { name: 'email', label: t('email'), type: 'email' },
            { name: 'name', label: t('name') },
            {
              name: 'spaceId',
              label: t('space'),
              options: [...spaceNames].map(([value, label]) => ({ value, label })),
            },
            { name: 'message', label: t('message'), type: 'area', optional: true },
          ]}
          submit={async ({ email = '', name = '', spaceId = '', message }) => {
            const body = [{ environmentId: environment.id, email, name, spaces: [{ id: spaceId }] }]
            const { data } = await unwrap(api.POST('/api/v1/guests', { body }))
            await unwrap(
              api.POST('/api/v1/invitations', {
                body: [{ guestId: data[0]!.id, spaceId, message: message || undefined }],
              }),
            )
          }}
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
