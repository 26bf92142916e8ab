import { useQueries, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { SelectField } from '../../shared/ui/controls.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { environmentsQuery, objectQuery } from '../data.ts'
import { BarChart } from '../parts/chart.tsx'
import { formatMonth, listMonths } from '../parts/months.ts'
import { PageHeader, Section } from '../parts/page.tsx'
import { useFilter } from '../parts/paging.tsx'

const MONTHS = 12

const usageQuery = (month: string) =>
  objectQuery(['usage', month], () =>
    unwrap(api.GET('/api/v1/accounts/current/usage', { params: { query: { month } } })),
  )

export default function Usage() {
  const { t, number, bytes, language } = useTranslation()
  const months = listMonths(MONTHS)
  const [month, setMonth] = useFilter('month', months.at(-1))
  const environments = useQuery(environmentsQuery)
  const usage = useQuery(usageQuery(month))
  const getEnvironmentName = (id: string) =>
    environments.data?.find((environment) => environment.id === id)?.name ??
    t('deletedResource', { kind: t('environment') })
  return (
    <>
      <PageHeader title={t('usage')} text={t('usageText')}>
        <SelectField
          hideLabel
          label={t('month')}
          value={month}
          options={months.toReversed().map((value) => ({ value, label: formatMonth(value, language, 'long') }))}
          onChange={({ target }) => setMonth(target.value)}
        />
      </PageHeader>
      <QueryView query={usage}>
        {(found) => (
          <DataTable
            label={t('usage')}
            rows={found}
            rowKey={({ environmentId }) => environmentId}
            empty={t('nothingFound')}
            columns={[
              {
                id: 'environment',
                title: t('environment'),
                isMain: true,
                render: ({ environmentId }) => getEnvironmentName(environmentId),
              },
              { id: 'spaces', title: t('spaces'), render: ({ used }) => number(used.spaces) },
              {
                id: 'files',
                title: t('files'),
                render: ({ used }) => `${number(used.files)} (${bytes(used.fileBytes)})`,
              },
              {
                id: 'created',
                title: t('recordsCreated'),
                sortValue: ({ used }) => used.recordsCreated,
                render: ({ used }) => number(used.recordsCreated),
              },
              { id: 'updated', title: t('recordsUpdated'), render: ({ used }) => number(used.recordsUpdated) },
              { id: 'runs', title: t('agentRuns'), render: ({ used }) => number(used.agentRuns) },
              { id: 'billed', title: t('credited'), render: ({ billable }) => number(billable.recordsCreated) },
            ]}
          />
        )}
      </QueryView>
      <YearCharts months={months} />
    </>
  )
}

function YearCharts({ months }: { months: readonly string[] }) {
  const { t, language, bytes } = useTranslation()
  const usages = useQueries({ queries: months.map(usageQuery) })
  if (usages.some(({ data }) => !data)) return null
  const buildBars = (key: 'recordsCreated' | 'files' | 'fileBytes' | 'agentRuns') =>
    months.map((month, index) => ({
      name: formatMonth(month, language),
      mark: formatMonth(month, language, 'narrow'),
      value: (usages[index]?.data ?? []).reduce((sum, { used }) => sum + used[key], 0),
    }))
  return (
    <Section title={t('lastTwelveMonths')}>
      <div className="charts">
        <BarChart label={t('recordsCreated')} bars={buildBars('recordsCreated')} />
        <BarChart label={t('files')} bars={buildBars('files')} />
        <BarChart
          label={t('fileSize')}
          bars={buildBars('fileBytes').map((bar) => ({ ...bar, text: bar.value > 0 ? bytes(bar.value) : '' }))}
        />
        <BarChart label={t('agentRuns')} bars={buildBars('agentRuns')} />
      </div>
    </Section>
  )
}
