import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { objectQuery } from '../data.ts'
import { DeleteButton, useRefresh } from '../parts/actions.tsx'
import { FormDialog } from '../parts/forms.tsx'
import { Details, PageHeader, TimeAgo } from '../parts/page.tsx'
import { CopyableValue, OneTimeValue } from '../parts/values.tsx'

export default function Tokens() {
  const { t } = useTranslation()
  const refresh = useRefresh()
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<{ id: string; token: string }>()
  const tokens = useQuery(objectQuery(['tokens'], () => unwrap(api.GET('/api/v1/auth/personal-access-tokens'))))
  return (
    <>
      <PageHeader title={t('tokens')} text={t('tokensText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newToken')}
        </Button>
      </PageHeader>
      <QueryView query={tokens}>
        {(found) => (
          <DataTable
            label={t('tokens')}
            rows={found}
            rowKey={({ id }) => id}
            empty={t('noTokens')}
            columns={[
              { id: 'name', title: t('name'), isMain: true, sortValue: ({ name }) => name, render: ({ name }) => name },
              {
                id: 'clientId',
                title: t('clientId'),
                render: ({ id, name }) => <CopyableValue value={id} name={name} />,
              },
              {
                id: 'created',
                title: t('created'),
                sortValue: ({ createdAt }) => createdAt,
                render: ({ createdAt }) => <TimeAgo time={createdAt} />,
              },
              {
                id: 'used',
                title: t('lastUsed'),
                sortValue: ({ lastUsedAt }) => lastUsedAt,
                render: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo time={lastUsedAt} /> : t('never')),
              },
              {
                id: 'actions',
                title: t('actions'),
                render: ({ id, name }) => (
                  <DeleteButton
                    name={name}
                    text={t('deleteToken')}
                    onDelete={() =>
                      unwrap(
                        api.DELETE('/api/v1/auth/personal-access-tokens/{tokenId}', {
                          params: { path: { tokenId: id } },
                        }),
                      )
                    }
                    invalidates={['tokens']}
                  />
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {adding && (
        <FormDialog
          title={t('newToken')}
          action={t('create')}
          fields={[{ name: 'name', label: t('name') }]}
          submit={({ name = '' }) => unwrap(api.POST('/api/v1/auth/personal-access-tokens', { body: { name } }))}
          onDone={({ data }) => {
            refresh('tokens')
            setAdding(false)
            setMade({ id: data.personalAccessToken.id, token: data.token })
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {made && (
        <OneTimeValue title={t('token')} value={made.token} onClose={() => setMade(undefined)}>
          <p className="hint form-text">{t('pairText')}</p>
          <Details items={[[t('clientId'), <CopyableValue key="id" value={made.id} name={t('clientId')} />]]} />
        </OneTimeValue>
      )}
    </>
  )
}
