/** The environments of the account. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import { type Environment, environmentsQuery } from '../data.ts'
import { guestsInviteField, invites, withInvites } from '../guests-invite.ts'
import { FormDialog, Head, Remove, Table, useDoing } from '../parts.tsx'

export default function Environments() {
  const { t } = useTexts()
  const [editing, setEditing] = useState<Environment | 'new'>()
  const environments = useQuery(environmentsQuery)
  const renew = useDoing(async () => undefined, ['environments'])
  const edited = editing === 'new' ? undefined : editing
  return (
    <>
      <Head title={t('environments')}>
        <Button kind="primary" onClick={() => setEditing('new')}>
          {t('newEnvironment')}
        </Button>
      </Head>
      <Shown of={environments}>
        {(all) => (
          <Table
            name={t('environments')}
            rows={all}
            empty={t('noEnvironments')}
            columns={[
              { title: t('name'), wide: true, cell: ({ name }) => name },
              {
                title: t('kind'),
                cell: ({ isProd }) =>
                  isProd ? <span className="badge good">{t('production')}</span> : t('development'),
              },
              {
                title: t('guestsComeBy'),
                cell: ({ guestAuthentication }) =>
                  guestAuthentication === 'magic_link' ? t('magicLink') : t('sharedLink'),
              },
              { title: t('allowedOrigins'), cell: ({ allowedOrigins }) => (allowedOrigins ?? ['*']).join(', ') },
              { title: 'ID', cell: ({ id }) => <code className="hint">{id}</code> },
              {
                title: t('actions'),
                cell: (each) => (
                  <>
                    <Button kind="ghost" aria-label={`${t('edit')}: ${each.name}`} onClick={() => setEditing(each)}>
                      {t('edit')}
                    </Button>
                    <Remove
                      name={each.name}
                      text={t('deleteForGood', { name: each.name })}
                      work={() =>
                        ask(
                          api.DELETE('/api/v1/environments/{environmentId}', {
                            params: { path: { environmentId: each.id } },
                          }),
                        )
                      }
                      touched={['environments']}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </Shown>
      {editing && (
        <FormDialog
          title={edited ? edited.name : t('newEnvironment')}
          action={edited ? t('keep') : t('create')}
          fields={[
            { name: 'name', label: t('name'), initial: edited?.name },
            {
              name: 'isProd',
              label: t('kind'),
              initial: String(edited?.isProd ?? false),
              options: [
                { value: 'false', label: t('development') },
                { value: 'true', label: t('production') },
              ],
            },
            {
              name: 'guestAuthentication',
              label: t('guestsComeBy'),
              initial: edited?.guestAuthentication,
              options: [
                { value: 'magic_link', label: t('magicLink') },
                { value: 'shared_link', label: t('sharedLink') },
              ],
            },
            guestsInviteField(t, edited ? (invites(edited.metadata) ?? true) : true),
            {
              name: 'allowedOrigins',
              label: t('allowedOrigins'),
              optional: true,
              initial: (edited?.allowedOrigins ?? []).join(' '),
              hint: 'https://app.example.com',
            },
          ]}
          submit={async ({
            name = '',
            isProd,
            guestAuthentication,
            guestsInvite,
            allowedOrigins = '',
          }): Promise<unknown> => {
            const origins = allowedOrigins.split(/[\s,]+/).filter(Boolean)
            const body = {
              name,
              isProd: isProd === 'true',
              guestAuthentication: guestAuthentication as 'magic_link',
              metadata: withInvites(edited?.metadata, guestsInvite),
              allowedOrigins: origins.length > 0 ? origins : undefined,
            }
            return edited
              ? ask(
                  api.PATCH('/api/v1/environments/{environmentId}', {
                    params: { path: { environmentId: edited.id } },
                    body,
                  }),
                )
              : ask(api.POST('/api/v1/environments', { body }))
          }}
          onDone={() => {
            setEditing(undefined)
            renew.mutate()
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}
