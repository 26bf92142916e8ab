import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, DeleteButton, FormDialog, PageHeader, useAction } from '../components.tsx'
import { type Environment, environmentsQuery } from '../data.ts'
import { buildGuestsInviteField, readGuestsMayInvite, withGuestsMayInvite } from '../guests-invite.ts'

export default function Environments() {
  const { t } = useTranslation()
  const [editing, setEditing] = useState<Environment | 'new'>()
  const environments = useQuery(environmentsQuery)
  const refresh = useAction(async () => undefined, ['environments'])
  const edited = editing === 'new' ? undefined : editing
  return (
    <>
      <PageHeader title={t('environments')}>
        <Button kind="primary" onClick={() => setEditing('new')}>
          {t('newEnvironment')}
        </Button>
      </PageHeader>
      <QueryView query={environments}>
        {(all) => (
          <DataTable
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
                title: t('guestSignIn'),
                cell: ({ guestAuthentication }) =>
                  guestAuthentication === 'magic_link' ? t('magicLink') : t('sharedLink'),
              },
              { title: t('allowedOrigins'), cell: ({ allowedOrigins }) => (allowedOrigins ?? ['*']).join(', ') },
              { title: 'ID', cell: ({ id }) => <code className="hint">{id}</code> },
              {
                title: t('actions'),
                cell: (environment) => (
                  <>
                    <Button
                      kind="ghost"
                      aria-label={`${t('edit')}: ${environment.name}`}
                      onClick={() => setEditing(environment)}
                    >
                      {t('edit')}
                    </Button>
                    <DeleteButton
                      name={environment.name}
                      text={t('deleteForGood', { name: environment.name })}
                      onDelete={() =>
                        unwrap(
                          api.DELETE('/api/v1/environments/{environmentId}', {
                            params: { path: { environmentId: environment.id } },
                          }),
                        )
                      }
                      invalidates={['environments']}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {editing && (
        <FormDialog
          title={edited ? edited.name : t('newEnvironment')}
          action={edited ? t('save') : t('create')}
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
              label: t('guestSignIn'),
              initial: edited?.guestAuthentication,
              options: [
                { value: 'magic_link', label: t('magicLink') },
                { value: 'shared_link', label: t('sharedLink') },
              ],
            },
            buildGuestsInviteField(t, edited ? (readGuestsMayInvite(edited.metadata) ?? true) : true),
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
              metadata: withGuestsMayInvite(edited?.metadata, guestsInvite),
              allowedOrigins: origins.length > 0 ? origins : undefined,
            }
            return edited
              ? unwrap(
                  api.PATCH('/api/v1/environments/{environmentId}', {
                    params: { path: { environmentId: edited.id } },
                    body,
                  }),
                )
              : unwrap(api.POST('/api/v1/environments', { body }))
          }}
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
