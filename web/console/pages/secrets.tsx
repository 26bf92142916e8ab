import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, DeleteButton, FormDialog, HiddenValue, PageHeader, useAction } from '../components.tsx'
import type { PageProps } from '../data.ts'

export default function Secrets({ environment }: PageProps) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  const secrets = useQuery({
    queryKey: ['secrets', environment.id],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/secrets', { params: { query: { environmentId: environment.id } } }))).data,
  })
  const refresh = useAction(async () => undefined, ['secrets'])
  return (
    <>
      <PageHeader title={t('secrets')} text={t('secretsText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('addSecret')}
        </Button>
      </PageHeader>
      <QueryView query={secrets}>
        {(all) => (
          <DataTable
            name={t('secrets')}
            rows={all}
            empty={t('noSecrets')}
            columns={[
              { title: t('name'), cell: ({ name }) => <code>{name}</code> },
              { title: t('value'), wide: true, cell: ({ name, value }) => <HiddenValue value={value} name={name} /> },
              {
                title: t('actions'),
                cell: (secret) => (
                  <DeleteButton
                    name={secret.name}
                    text={t('deleteItem', { name: secret.name })}
                    onDelete={() =>
                      unwrap(api.DELETE('/api/v1/secrets/{secretId}', { params: { path: { secretId: secret.id } } }))
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
            setAdding(false)
            refresh.mutate()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
