/** Guests of an environment, and what they were given. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import type { Given } from '../data.ts'
import { FormDialog, Head, Remove, Table, useDoing } from '../parts.tsx'

export default function Guests({ environment }: Given) {
  const { t, date } = useTexts()
  const [adding, setAdding] = useState(false)
  const guests = useQuery({
    queryKey: ['guests', environment.id],
    queryFn: () =>
      ask(api.GET('/api/v1/guests', { params: { query: { environmentId: environment.id, pageSize: 200 } } })),
  })
  const spaces = useQuery({
    queryKey: ['spaces', environment.id, 'names'],
    queryFn: () =>
      ask(api.GET('/api/v1/spaces', { params: { query: { environmentId: environment.id, pageSize: 200 } } })),
  })
  const named = new Map((spaces.data?.data ?? []).map(({ id, name }) => [id, name]))
  const renew = useDoing(async () => undefined, ['guests'])
  return (
    <>
      <Head title={t('guests')} text={t('guestsText')}>
        <Button kind="primary" disabled={named.size === 0} onClick={() => setAdding(true)}>
          {t('invite')}
        </Button>
      </Head>
      <Shown of={guests}>
        {({ data }) => (
          <Table
            name={t('guests')}
            rows={data}
            empty={t('noGuests')}
            columns={[
              { title: t('name'), cell: ({ name }) => name },
              { title: t('email'), wide: true, cell: ({ email }) => email },
              {
                title: t('grants'),
                cell: (guest) => (
                  <ul>
                    {guest.spaces.map((grant) => (
                      <li key={grant.id} className="grant">
                        <span>
                          {named.get(grant.id) ?? grant.id}
                          {grant.workbooks || grant.sheets ? ` (${t('inPart')})` : ''}
                        </span>{' '}
                        <span className="hint">{grant.lastAccessed ? date(grant.lastAccessed) : t('neverCame')}</span>
                        <Remove
                          name={`${guest.name} ${named.get(grant.id) ?? grant.id}`}
                          label={t('takeAway')}
                          text={t('takeAwayText', { name: guest.name })}
                          work={() =>
                            ask(
                              api.DELETE('/api/v1/guests/{guestId}', {
                                params: { path: { guestId: guest.id }, query: { spaceId: grant.id } },
                              }),
                            )
                          }
                          touched={['guests']}
                        />
                      </li>
                    ))}
                  </ul>
                ),
              },
              {
                title: t('actions'),
                cell: (guest) => (
                  <Remove
                    name={guest.name}
                    text={t('deleteForGood', { name: guest.name })}
                    work={() =>
                      ask(api.DELETE('/api/v1/guests/{guestId}', { params: { path: { guestId: guest.id } } }))
                    }
                    touched={['guests']}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
      {adding && (
        <FormDialog
          title={t('invite')}
          action={t('sendInvite')}
          fields={[
            { name: 'email', label: t('email'), type: 'email' },
            { name: 'name', label: t('name') },
            { name: 'spaceId', label: t('space'), options: [...named].map(([value, label]) => ({ value, label })) },
            { name: 'message', label: t('message'), type: 'area', optional: true },
          ]}
          submit={async ({ email = '', name = '', spaceId = '', message }) => {
            const body = [{ environmentId: environment.id, email, name, spaces: [{ id: spaceId }] }]
            const { data } = await ask(api.POST('/api/v1/guests', { body }))
            await ask(
              api.POST('/api/v1/invitations', {
                body: [{ guestId: data[0]!.id, spaceId, message: message || undefined }],
              }),
            )
          }}
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
