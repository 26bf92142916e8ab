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
import { PageHeader, Section, TimeAgo } from '../parts/page.tsx'

export default function Retention({ environment }: PageProps) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  return (
    <>
      <PageHeader title={t('retention')} text={t('retentionText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newPolicy')}
        </Button>
      </PageHeader>
      <PolicyTable environment={environment} />
      {adding && <NewPolicy environment={environment} onClose={() => setAdding(false)} />}
    </>
  )
}

/** A part of the environment's page. */
export function Policies({ environment }: PageProps) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  return (
    <Section title={t('retention')} actions={<Button onClick={() => setAdding(true)}>{t('newPolicy')}</Button>}>
      <PolicyTable environment={environment} />
      {adding && <NewPolicy environment={environment} onClose={() => setAdding(false)} />}
    </Section>
  )
}

function PolicyTable({ environment }: PageProps) {
  const { t } = useTranslation()
  const query = { environmentId: environment.id }
  const policies = useQuery(
    objectQuery(['retention', environment.id], () =>
      unwrap(api.GET('/api/v1/data-retention-policies', { params: { query } })),
    ),
  )
  return (
    <QueryView query={policies}>
      {(found) => (
        <DataTable
          label={t('retention')}
          rows={found}
          rowKey={({ id }) => id}
          empty={t('noPolicies')}
          columns={[
            {
              id: 'rule',
              title: t('rule'),
              isMain: true,
              sortValue: ({ period }) => period,
              render: ({ type, period }) =>
                t(type === 'lastActivity' ? 'expiresAfterActivity' : 'expiresAfterCreation', { count: period }),
            },
            { id: 'created', title: t('created'), render: ({ createdAt }) => <TimeAgo time={createdAt} /> },
            {
              id: 'actions',
              title: t('actions'),
              render: ({ id, type, period }) => (
                <DeleteButton
                  name={t(type === 'lastActivity' ? 'expiresAfterActivity' : 'expiresAfterCreation', { count: period })}
                  text={t('deletePolicyText')}
                  onDelete={() =>
                    unwrap(api.DELETE('/api/v1/data-retention-policies/{id}', { params: { path: { id } } }))
                  }
                  invalidates={['retention']}
                />
              ),
            },
          ]}
        />
      )}
    </QueryView>
  )
}

function NewPolicy({ environment, onClose }: PageProps & { onClose(): void }) {
  const { t } = useTranslation()
  const refresh = useRefresh()
  return (
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
      submit={({ type, period }) => {
        const body = { type: type as 'lastActivity', period: Number(period), environmentId: environment.id }
        return unwrap(api.POST('/api/v1/data-retention-policies', { body }))
      }}
      onDone={() => {
        refresh('retention')
        onClose()
      }}
      onClose={onClose}
    />
  )
}
