/** One's own personal access tokens: a value is seen once. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import { FormDialog, Head, Remove, ShownOnce, Table, useDoing } from '../parts.tsx'

export default function Tokens() {
  const { t, date } = useTexts()
  const [adding, setAdding] = useState(false)
  const [value, setValue] = useState<string>()
  const tokens = useQuery({
    queryKey: ['tokens'],
    queryFn: async () => (await ask(api.GET('/api/v1/auth/personal-access-tokens'))).data,
  })
  const renew = useDoing(async () => undefined, ['tokens'])
  return (
    <>
      <Head title={t('tokens')} text={t('tokensText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newToken')}
        </Button>
      </Head>
      <Shown of={tokens}>
        {(all) => (
          <Table
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
                  <Remove
                    name={token.name}
                    text={t('deleteToken')}
                    work={() =>
                      ask(
                        api.DELETE('/api/v1/auth/personal-access-tokens/{tokenId}', {
                          params: { path: { tokenId: token.id } },
                        }),
                      )
                    }
                    touched={['tokens']}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
      {adding && (
        <FormDialog
          title={t('newToken')}
          action={t('create')}
          fields={[{ name: 'name', label: t('name') }]}
          submit={({ name = '' }) => ask(api.POST('/api/v1/auth/personal-access-tokens', { body: { name } }))}
          onDone={({ data }) => {
            setAdding(false)
            setValue(data.token)
            renew.mutate()
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {value && <ShownOnce title={t('token')} value={value} onClose={() => setValue(undefined)} />}
    </>
  )
}
