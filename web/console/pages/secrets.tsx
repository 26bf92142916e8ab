import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { objectQuery, type PageProps } from '../data.ts'
import { DeleteButton, useRefresh } from '../parts/actions.tsx'
import { FormDialog } from '../parts/forms.tsx'
import { PageHeader } from '../parts/page.tsx'
import { HiddenValue } from '../parts/values.tsx'

export default function Secrets({ environment }: PageProps) {
  const { t } = useTranslation()
  const refresh = useRefresh()
  const [adding, setAdding] = useState(false)
  const query = { environmentId: environment.id }
  const secrets = useQuery(
    objectQuery(['secrets', environment.id], () => unwrap(api.GET('/api/v1/secrets', { params: { query } }))),
  )
  return (
    <>
      <PageHeader title={t('secrets')} text={t('secretsText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('addSecret')}
        </Button>
      </PageHeader>
      <QueryView query={secrets}>
        {(found) => (
          <DataTable
            label={t('secrets')}
            rows={found}
            rowKey={({ id }) => id}
            empty={t('noSecrets')}
            columns={[
              {
                id: 'name',
                title: t('name'),
                isMain: true,
                sortValue: ({ name }) => name,
                render: ({ name }) => <code>{name}</code>,
              },
              {
                id: 'value',
                title: t('value'),
                render: ({ name, value }) => <HiddenValue value={value} name={name} />,
              },
              {
                id: 'actions',
                title: t('actions'),
                render: ({ id, name }) => (
                  <DeleteButton
                    name={name}
                    text={t('deleteSecretText', { name })}
                    onDelete={() =>
                      unwrap(api.DELETE('/api/v1/secrets/{secretId}', { params: { path: { secretId: id } } }))
                    }
                    invalidates={['secrets']}
                  />
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {adding && (
        <FormDialog
          title={t('addSecret')}
          action={t('save')}
          fields={[
            { name: 'name', label: t('name') },
            { name: 'value', label: t('value'), type: 'area' },
          ]}
          submit={({ name = '', value = '' }) =>
            unwrap(api.POST('/api/v1/secrets', { body: { name, value, environmentId: environment.id } }))
          }
          onDone={() => {
            refresh('secrets')
            setAdding(false)
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
