/** Data retention: when spaces, workbooks and files expire by themselves. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import type { Given } from '../data.ts'
import { FormDialog, Head, Remove, Table, useDoing } from '../parts.tsx'

export default function Retention({ environment }: Given) {
  const { t, number, date } = useTexts()
  const [adding, setAdding] = useState(false)
  const policies = useQuery({
    queryKey: ['retention', environment.id],
    queryFn: async () =>
      (await ask(api.GET('/api/v1/data-retention-policies', { params: { query: { environmentId: environment.id } } })))
        .data,
  })
  const renew = useDoing(async () => undefined, ['retention'])
  return (
    <>
      <Head title={t('retention')} text={t('retentionText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newPolicy')}
        </Button>
      </Head>
      <Shown of={policies}>
        {(all) => (
          <Table
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
              { title: t('created'), cell: (each) => date(each.createdAt) },
              {
                title: t('actions'),
                cell: (each) => (
                  <Remove
                    name={`${each.period}`}
                    text={t('deleteForGood', { name: t('retention') })}
                    work={() =>
                      ask(api.DELETE('/api/v1/data-retention-policies/{id}', { params: { path: { id: each.id } } }))
                    }
                    touched={['retention']}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
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
            ask(
              api.POST('/api/v1/data-retention-policies', {
                body: { type: type as 'lastActivity', period: Number(period), environmentId: environment.id },
              }),
            )
          }
          onDone={() => {
            setAdding(false)
            renew.mutate()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
