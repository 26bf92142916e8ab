import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Badge } from '../../shared/ui/states.tsx'
import { Tabs } from '../../shared/ui/tabs.tsx'
import { type ObjectPageProps, type Space, spaceQuery, usePath } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'
import { Missing, ObjectView, PageHeader } from '../parts/page.tsx'
import { SpaceGuests } from './guests.tsx'
import { SpaceActivity, SpaceFiles, SpaceJobs } from './lists.tsx'
import { SpaceOverview } from './overview.tsx'
import { SpaceSettings } from './settings.tsx'

const TABS = {
  overview: { title: 'overview', Tab: SpaceOverview },
  guests: { title: 'guests', Tab: SpaceGuests },
  files: { title: 'files', Tab: SpaceFiles },
  jobs: { title: 'jobs', Tab: SpaceJobs },
  events: { title: 'events', Tab: SpaceActivity },
  settings: { title: 'settings', Tab: SpaceSettings },
} as const

/** Keys of lists that an event of a domain outdates. */
const AFFECTED: Record<string, string[]> = {
  space: ['space', 'guests'],
  workbook: ['workbooks'],
  sheet: ['workbooks'],
  records: ['workbooks'],
  commit: ['workbooks'],
  file: ['files'],
  job: ['jobs'],
}

export default function SpacePage({ environment, id, tab = 'overview' }: ObjectPageProps) {
  const { t } = useTranslation()
  const path = usePath()
  useEnvironmentEvents(environment.id, (topic) => ['events', ...(AFFECTED[topic.split(':')[0] ?? ''] ?? [])])
  const space = useQuery(spaceQuery(id))
  const parent = { title: t('spaces'), href: path('spaces') }
  const Tab = Object.hasOwn(TABS, tab) ? TABS[tab as keyof typeof TABS].Tab : undefined
  return (
    <ObjectView query={space} parent={parent}>
      {(found) => (
        <>
          <PageHeader
            title={found.name || t('unnamed')}
            parent={parent}
            badge={found.archivedAt && <Badge>{t('archived')}</Badge>}
          >
            <SpaceActions space={found} />
          </PageHeader>
          <Tabs
            label={found.name || t('unnamed')}
            selected={tab}
            items={Object.entries(TABS).map(([name, { title }]) => ({
              id: name,
              label: t(title),
              href: name === 'overview' ? path('spaces', id) : path('spaces', id, name),
            }))}
          />
          {Tab ? (
            <Tab space={found} />
          ) : (
            <Missing title={t('pageMissing')} parent={{ title: t('overview'), href: path('spaces', id) }} />
          )}
        </>
      )}
    </ObjectView>
  )
}

function SpaceActions({ space }: { space: Space }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <>
      <Link className="button plain" href={`${path('builder')}?space=${space.id}`}>
        {t('editFields')}
      </Link>
      <a className="button primary" href={`/s/${space.id}`}>
        {t('openSpace')}
      </a>
    </>
  )
}
