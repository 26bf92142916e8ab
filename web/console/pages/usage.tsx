/** What each environment used in a month. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import { environmentsQuery } from '../data.ts'
import { Head, Table } from '../parts.tsx'

export default function Usage() {
  const { t, number, bytes } = useTexts()
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7))
  const environments = useQuery(environmentsQuery)
  const usage = useQuery({
    queryKey: ['usage', month],
    queryFn: async () => (await ask(api.GET('/api/v1/accounts/current/usage', { params: { query: { month } } }))).data,
  })
  const nameOf = (id: string) => environments.data?.find((each) => each.id === id)?.name ?? id
  return (
    <>
      <Head title={t('usage')} text={t('usageText')}>
        <input
          type="month"
          aria-label={t('month')}
          value={month}
          onChange={(event) => event.target.value && setMonth(event.target.value)}
        />
      </Head>
      <Shown of={usage}>
        {(all) => (
          <Table
            name={t('usage')}
            rows={all.map((each) => ({ ...each, id: each.environmentId }))}
            empty={t('nothingFound')}
            columns={[
              { title: t('environment'), wide: true, cell: (each) => nameOf(each.environmentId) },
              { title: t('spaces'), cell: ({ used }) => number(used.spaces) },
              { title: t('files'), cell: ({ used }) => `${number(used.files)} (${bytes(used.fileBytes)})` },
              { title: t('recordsCreated'), cell: ({ used }) => number(used.recordsCreated) },
              { title: t('recordsUpdated'), cell: ({ used }) => number(used.recordsUpdated) },
              { title: t('agentRuns'), cell: ({ used }) => number(used.agentRuns) },
              { title: t('credited'), cell: ({ credited }) => number(credited.recordsCreated) },
            ]}
          />
        )}
      </Shown>
    </>
  )
}
