/** The keys of an environment: a secret one is shown on request alone. */
import { useQuery } from '@tanstack/react-query'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Copy } from '../../shared/ui/copy.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import type { Given } from '../data.ts'
import { Head, Hidden, Remove, Table, useDoing } from '../parts.tsx'

export default function Keys({ environment }: Given) {
  const { t, date } = useTexts()
  const environmentId = environment.id
  const keys = useQuery({
    queryKey: ['keys', environmentId],
    queryFn: async () => (await ask(api.GET('/api/v1/auth/api-keys', { params: { query: { environmentId } } }))).data,
  })
  const create = useDoing(
    (type: 'SECRET' | 'PUBLISHABLE') =>
      ask(api.POST('/api/v1/auth/api-key', { params: { query: { type, environmentId } } })),
    ['keys'],
  )
  return (
    <>
      <Head title={t('keys')} text={t('keysText')}>
        <Button busy={create.isPending} onClick={() => create.mutate('PUBLISHABLE')}>
          {t('newPublishable')}
        </Button>
        <Button kind="primary" busy={create.isPending} onClick={() => create.mutate('SECRET')}>
          {t('newSecretKey')}
        </Button>
      </Head>
      <Shown of={keys}>
        {(all) => (
          <Table
            name={t('keys')}
            rows={all}
            empty={t('nothingFound')}
            columns={[
              { title: t('kind'), cell: ({ type }) => (type === 'SECRET' ? t('secretKey') : t('publishableKey')) },
              {
                title: t('value'),
                wide: true,
                cell: ({ id, type, rawKey }) =>
                  !rawKey ? null : type === 'SECRET' ? (
                    <Hidden value={rawKey} name={id} />
                  ) : (
                    <>
                      <code>{rawKey}</code> <Copy value={rawKey} name={id} />
                    </>
                  ),
              },
              { title: t('created'), cell: (key) => date(key.createdAt) },
              {
                title: t('actions'),
                cell: (key) => (
                  <Remove
                    name={key.id}
                    text={t('deleteKey')}
                    work={() =>
                      ask(api.DELETE('/api/v1/auth/api-key', { params: { query: { key: key.id, environmentId } } }))
                    }
                    touched={['keys']}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
    </>
  )
}
