import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, DeleteButton, FormDialog, PageHeader, useAction } from '../components.tsx'
import type { PageProps } from '../data.ts'

export default function Retention({ environment }: PageProps) {
  const { t, number, date } = useTranslation()
  const [adding, setAdding] = useState(false)
  const policies = useQuery({
    queryKey: ['retention', environment.id],
    queryFn: async () =>
      (
        await unwrap(
          api.GET('/api/v1/data-retention-policies', { params: { query: { environmentId: environment.id } } }),
        )
      ).data,
  })
  const refresh = useAction(async () => undefined, ['retention'])
  return (
    <>
      <PageHeader title={t('retention')} text={t('retentionText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newPolicy')}
        </Button>
      </PageHeader>
      <QueryView query={policies}>
        {(all) => (
          <DataTable
            name={t('retention')}
            rows={all}
            empty={t('noPolicies')}
            columns={[
              {
                title: t('countsFrom'),
                wide: true,
                cell: ({ type }) => (type === 'lastActivity' ? t('lastActivity') : t('created')),
              },
              { title: t('days'), cell: ({ period }) => number(period) },
              { title: t('created'), cell: (policy) => date(policy.createdAt) },
              {
                title: t('actions'),
                cell: (policy) => (
                  <DeleteButton
                    name={`${policy.period}`}
                    text={t('deleteItem', { name: t('retention') })}
                    onDelete={() =>
                      unwrap(
                        api.DELETE('/api/v1/data-retention-policies/{id}', { params: { path: { id: policy.id } } }),
                      )
                    }
                    invalidates={['retention']}
                  />
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {adding && (
        <FormDialog
          title={t('newPolicy')}
          action={t('create')}
          fields={[
            {
              name: 'type',
              label: t('countsFrom'),
              options: [
                { value: 'lastActivity', label: t('lastActivity') },
                { value: 'sinceCreated', label: t('created') },
              ],
            },
            { name: 'period', label: t('days'), type: 'number', initial: '90' },
          ]}
          submit={({ type, period }) =>
            unwrap(
              api.POST('/api/v1/data-retention-policies', {
                body: { type: type as 'lastActivity', period: Number(period), environmentId: environment.id },
              }),
            )
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
