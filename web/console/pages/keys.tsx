import { useQuery } from '@tanstack/react-query'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { type Environment, objectQuery, type PageProps } from '../data.ts'
import { DeleteButton, useAction } from '../parts/actions.tsx'
import { PageHeader, TimeAgo } from '../parts/page.tsx'
import { CopyableValue, HiddenValue } from '../parts/values.tsx'

type ApiKey = Shape<'ApiKey'>

export default function Keys({ environment }: PageProps) {
  const { t } = useTranslation()
  const environmentId = environment.id
  const keys = useQuery(
    objectQuery(['keys', environmentId], () =>
      unwrap(api.GET('/api/v1/auth/api-keys', { params: { query: { environmentId } } })),
    ),
  )
  const create = useAction(
    (type: ApiKey['type']) => unwrap(api.POST('/api/v1/auth/api-key', { params: { query: { type, environmentId } } })),
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
        {(found) => (
          <DataTable
            label={t('keys')}
            rows={found}
            rowKey={({ id }) => id}
            empty={t('nothingFound')}
            columns={[
              {
                id: 'kind',
                title: t('kind'),
                sortValue: ({ type }) => type,
                render: ({ type }) => t(type === 'SECRET' ? 'secretKey' : 'publishableKey'),
              },
              { id: 'value', title: t('value'), isMain: true, render: (key) => <KeyValue apiKey={key} /> },
              {
                id: 'created',
                title: t('created'),
                sortValue: ({ createdAt }) => createdAt,
                render: ({ createdAt }) => <TimeAgo time={createdAt} />,
              },
              {
                id: 'actions',
                title: t('actions'),
                render: (key) => <DeleteKey apiKey={key} environment={environment} />,
              },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}

const VISIBLE_END = 4

/** Tells keys apart without showing them. */
const nameKey = ({ id, rawKey }: ApiKey): string => (rawKey ? `…${rawKey.slice(-VISIBLE_END)}` : id)

function KeyValue({ apiKey }: { apiKey: ApiKey }) {
  const { rawKey, type } = apiKey
  if (!rawKey) return null
  const Value = type === 'SECRET' ? HiddenValue : CopyableValue
  return <Value value={rawKey} name={nameKey(apiKey)} />
}

/** Deleting a key of production asks for the name of the environment. */
function DeleteKey({ apiKey, environment }: { apiKey: ApiKey; environment: Environment }) {
  const { t } = useTranslation()
  const query = { key: apiKey.id, environmentId: environment.id }
  return (
    <DeleteButton
      byName={environment.isProd}
      name={environment.isProd ? environment.name : nameKey(apiKey)}
      text={t('deleteKey')}
      onDelete={() => unwrap(api.DELETE('/api/v1/auth/api-key', { params: { query } }))}
      invalidates={['keys']}
    />
  )
}
