import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, DeleteButton, FormDialog, OneTimeValue, PageHeader, useAction } from '../components.tsx'

export default function Tokens() {
  const { t, date } = useTranslation()
  const [adding, setAdding] = useState(false)
  const [value, setValue] = useState<string>()
  const tokens = useQuery({
    queryKey: ['tokens'],
    queryFn: async () => (await unwrap(api.GET('/api/v1/auth/personal-access-tokens'))).data,
  })
  const refresh = useAction(async () => undefined, ['tokens'])
  return (
    <>
      <PageHeader title={t('tokens')} text={t('tokensText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newToken')}
        </Button>
      </PageHeader>
      <QueryView query={tokens}>
        {(all) => (
          <DataTable
            name={t('tokens')}
            rows={all}
            empty={t('noTokens')}
            columns={[
              { title: t('name'), wide: true, cell: ({ name }) => name },
              { title: t('clientId'), cell: ({ id }) => <code>{id}</code> },
              { title: t('created'), cell: (token) => date(token.createdAt) },
              { title: t('lastUsed'), cell: (token) => (token.lastUsedAt ? date(token.lastUsedAt) : t('never')) },
              {
                title: t('actions'),
                cell: (token) => (
                  <DeleteButton
                    name={token.name}
                    text={t('deleteToken')}
                    onDelete={() =>
                      unwrap(
                        api.DELETE('/api/v1/auth/personal-access-tokens/{tokenId}', {
                          params: { path: { tokenId: token.id } },
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
            setAdding(false)
            setValue(data.token)
            refresh.mutate()
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {value && <OneTimeValue title={t('token')} value={value} onClose={() => setValue(undefined)} />}
    </>
  )
}
