import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { Badge, QueryView } from '../../shared/ui/states.tsx'
import { environmentsQuery } from '../data.ts'
import { PageHeader } from '../parts/page.tsx'
import { NewEnvironmentDialog } from './environment-form.tsx'

export function EnvironmentKind({ isProd }: { isProd: boolean }) {
  const { t } = useTranslation()
  return isProd ? <Badge tone="good">{t('production')}</Badge> : <Badge>{t('development')}</Badge>
}

export default function Environments() {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  const environments = useQuery(environmentsQuery)
  return (
    <>
      <PageHeader title={t('environments')} text={t('environmentsText')}>
        <Button kind="primary" onClick={() => setAdding(true)}>
          {t('newEnvironment')}
        </Button>
      </PageHeader>
      <QueryView query={environments}>
        {(found) => (
          <DataTable
            label={t('environments')}
            rows={found}
            rowKey={({ id }) => id}
            rowHref={({ id }) => `/console/${id}/environments/${id}`}
            empty={t('noEnvironments')}
            columns={[
              { id: 'name', title: t('name'), isMain: true, sortValue: ({ name }) => name, render: ({ name }) => name },
              {
                id: 'kind',
                title: t('kind'),
                sortValue: ({ isProd }) => Number(isProd),
                render: ({ isProd }) => <EnvironmentKind isProd={isProd} />,
              },
              {
                id: 'signIn',
                title: t('guestSignIn'),
                render: ({ guestAuthentication }) =>
                  t(guestAuthentication === 'magic_link' ? 'magicLink' : 'sharedLink'),
              },
              {
                id: 'origins',
                title: t('allowedOrigins'),
                render: ({ allowedOrigins }) => allowedOrigins?.join(', ') ?? t('anyWebsite'),
              },
            ]}
          />
        )}
      </QueryView>
      {adding && <NewEnvironmentDialog onClose={() => setAdding(false)} />}
    </>
  )
}
