import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { CopyButton } from '../../shared/ui/copy.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, DeleteButton, HiddenValue, PageHeader, useAction } from '../components.tsx'
import type { PageProps } from '../data.ts'

export default function Keys({ environment }: PageProps) {
  const { t, date } = useTranslation()
  const environmentId = environment.id
  const keys = useQuery({
    queryKey: ['keys', environmentId],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/auth/api-keys', { params: { query: { environmentId } } }))).data,
  })
  const create = useAction(
    (type: 'SECRET' | 'PUBLISHABLE') =>
      unwrap(api.POST('/api/v1/auth/api-key', { params: { query: { type, environmentId } } })),
    ['keys'],
  )
  return (
    <>
      <PageHeader title={t('keys')} text={t('keysText')}>
        <Button busy={create.isPending} onClick={() => create.mutate('PUBLISHABLE')}>
          {t('newPublishable')}
        </Button>
        <Button kind="primary" busy={create.isPending} onClick={() => create.mutate('SECRET')}>
          {t('newSecretKey')}
        </Button>
      </PageHeader>
      <QueryView query={keys}>
        {(all) => (
          <DataTable
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
                    <HiddenValue value={rawKey} name={id} />
                  ) : (
                    <>
                      <code>{rawKey}</code> <CopyButton value={rawKey} name={id} />
                    </>
                  ),
              },
              { title: t('created'), cell: (key) => date(key.createdAt) },
              {
                title: t('actions'),
                cell: (key) => (
                  <DeleteButton
                    name={key.id}
                    text={t('deleteKey')}
                    onDelete={() =>
                      unwrap(api.DELETE('/api/v1/auth/api-key', { params: { query: { key: key.id, environmentId } } }))
                    }
                    invalidates={['keys']}
                  />
                ),
              },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}
