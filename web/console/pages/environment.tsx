import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { withBranding } from '../../shared/branding.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type Environment, environmentsQuery, type ObjectPageProps, objectQuery, usePath } from '../data.ts'
import { DeleteButton } from '../parts/actions.tsx'
import { BrandingForm } from '../parts/branding.tsx'
import { DangerZone } from '../parts/danger.tsx'
import { Details, ObjectView, PageHeader, Section, ShowJson } from '../parts/page.tsx'
import { CopyableValue } from '../parts/values.tsx'
import { DefaultWorkbook } from './default-workbook.tsx'
import { EnvironmentForm } from './environment-form.tsx'
import { EnvironmentKind } from './environments.tsx'
import { Policies } from './retention.tsx'

export default function EnvironmentPage({ id }: ObjectPageProps) {
  const { t } = useTranslation()
  const path = usePath()
  const environment = useQuery(
    objectQuery(['environments', id], () =>
      unwrap(api.GET('/api/v1/environments/{environmentId}', { params: { path: { environmentId: id } } })),
    ),
  )
  const parent = { title: t('environments'), href: path('environments') }
  return (
    <ObjectView query={environment} parent={parent}>
      {(found) => (
        <>
          <PageHeader title={found.name} parent={parent} badge={<EnvironmentKind isProd={found.isProd} />} />
          <Details items={[[t('environmentId'), <CopyableValue key="id" value={found.id} name={found.name} />]]} />
          <Section title={t('settings')}>
            <EnvironmentForm key={JSON.stringify(found)} environment={found} />
          </Section>
          <Section title={t('appearance')}>
            <BrandingForm
              key={`branding-${JSON.stringify(found.metadata)}`}
              name={found.name}
              text={t('environmentBrandingText')}
              metadata={found.metadata}
              save={(branding) =>
                unwrap(
                  api.PATCH('/api/v1/environments/{environmentId}', {
                    params: { path: { environmentId: id } },
                    body: { metadata: withBranding(found.metadata, branding) },
                  }),
                )
              }
              invalidates={['environments']}
            />
          </Section>
          <DefaultWorkbook environment={found} />
          <Policies environment={found} />
          <DeleteEnvironment environment={found} />
          <ShowJson value={found} />
        </>
      )}
    </ObjectView>
  )
}

function DeleteEnvironment({ environment }: { environment: Environment }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const params = { path: { environmentId: environment.id } }
  const leave = () => {
    const rest = client.setQueryData(environmentsQuery.queryKey, (all) =>
      all?.filter(({ id }) => id !== environment.id),
    )
    navigate(rest?.[0] ? `/console/${rest[0].id}/environments` : '/console', { replace: true })
    toast(t('environmentDeleted', { name: environment.name }))
  }
  return (
    <DangerZone
      items={[
        {
          title: t('deleteEnvironment'),
          text: t('deleteEnvironmentText'),
          action: (
            <DeleteButton
              byName
              name={environment.name}
              label={t('deleteEnvironment')}
              kind="danger"
              text={t('deleteForGood', { name: environment.name })}
              onDelete={() => unwrap(api.DELETE('/api/v1/environments/{environmentId}', { params }))}
              onDone={leave}
              invalidates={[]}
            />
          ),
        },
      ]}
    />
  )
}
