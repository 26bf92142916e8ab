import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, PageHeader } from '../components.tsx'
import { environmentsQuery } from '../data.ts'

export default function Usage() {
  const { t, number, bytes } = useTranslation()
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7))
  const environments = useQuery(environmentsQuery)
  const usage = useQuery({
    queryKey: ['usage', month],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/accounts/current/usage', { params: { query: { month } } }))).data,
  })
  const getEnvironmentName = (id: string) => environments.data?.find((environment) => environment.id === id)?.name ?? id
  return (
    <>
      <PageHeader title={t('usage')} text={t('usageText')}>
        <input
          type="month"
          aria-label={t('month')}
          value={month}
          onChange={(event) => event.target.value && setMonth(event.target.value)}
        />
      </PageHeader>
      <QueryView query={usage}>
        {(all) => (
          <DataTable
            name={t('usage')}
            rows={all.map((usage) => ({ ...usage, id: usage.environmentId }))}
            empty={t('nothingFound')}
            columns={[
              { title: t('environment'), wide: true, cell: ({ environmentId }) => getEnvironmentName(environmentId) },
              { title: t('spaces'), cell: ({ used }) => number(used.spaces) },
              { title: t('files'), cell: ({ used }) => `${number(used.files)} (${bytes(used.fileBytes)})` },
              { title: t('recordsCreated'), cell: ({ used }) => number(used.recordsCreated) },
              { title: t('recordsUpdated'), cell: ({ used }) => number(used.recordsUpdated) },
              { title: t('agentRuns'), cell: ({ used }) => number(used.agentRuns) },
              { title: t('credited'), cell: ({ billable }) => number(billable.recordsCreated) },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}
