/** The console: administration of an account with its environments, spaces, users and keys. */
import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  Bot,
  ChartColumn,
  KeyRound,
  Layers,
  LayoutGrid,
  ListChecks,
  Lock,
  type LucideIcon,
  Rocket,
  ScrollText,
  Table2,
  Timer,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { Link, Redirect, Route, Switch, useLocation, useParams } from 'wouter'
import { endSession, useSession } from '../shared/api/session.ts'
import { Brand } from '../shared/sign-in.tsx'
import { type TextKey, useTranslation } from '../shared/texts/texts.tsx'
import { Button, SelectField } from '../shared/ui/controls.tsx'
import { Frame } from '../shared/ui/frame.tsx'
import { Menu } from '../shared/ui/menu.tsx'
import { Preferences } from '../shared/ui/preferences.tsx'
import { Empty, Loading, QueryView } from '../shared/ui/states.tsx'
import { type Environment, environmentsQuery, type PageProps } from './data.ts'
import './console.css'

const lazyPage = (load: () => Promise<{ default: ComponentType<PageProps> }>) => lazy(load)

const PAGES: Record<string, { title: TextKey; Icon: LucideIcon; Page: ComponentType<PageProps> }> = {
  start: { title: 'firstSteps', Icon: Rocket, Page: lazyPage(() => import('./pages/start.tsx')) },
  builder: { title: 'newWorkbook', Icon: Table2, Page: lazyPage(() => import('./builder/page.tsx')) },
  spaces: { title: 'spaces', Icon: LayoutGrid, Page: lazyPage(() => import('./pages/spaces.tsx')) },
  guests: { title: 'guests', Icon: Users, Page: lazyPage(() => import('./pages/guests.tsx')) },
  jobs: { title: 'jobs', Icon: ListChecks, Page: lazyPage(() => import('./pages/jobs.tsx')) },
  events: { title: 'events', Icon: Activity, Page: lazyPage(() => import('./pages/events.tsx')) },
  agents: { title: 'agents', Icon: Bot, Page: lazyPage(() => import('./pages/agents.tsx')) },
  webhooks: { title: 'webhooks', Icon: Webhook, Page: lazyPage(() => import('./pages/webhooks.tsx')) },
  secrets: { title: 'secrets', Icon: Lock, Page: lazyPage(() => import('./pages/secrets.tsx')) },
  retention: { title: 'retention', Icon: Timer, Page: lazyPage(() => import('./pages/retention.tsx')) },
  keys: { title: 'keys', Icon: KeyRound, Page: lazyPage(() => import('./pages/keys.tsx')) },
  environments: { title: 'environments', Icon: Layers, Page: lazyPage(() => import('./pages/environments.tsx')) },
  users: { title: 'users', Icon: UserCog, Page: lazyPage(() => import('./pages/users.tsx')) },
  usage: { title: 'usage', Icon: ChartColumn, Page: lazyPage(() => import('./pages/usage.tsx')) },
  audit: { title: 'audit', Icon: ScrollText, Page: lazyPage(() => import('./pages/audit.tsx')) },
}

const PROFILE_PAGES: typeof PAGES = {
  tokens: { title: 'tokens', Icon: KeyRound, Page: lazyPage(() => import('./pages/tokens.tsx')) },
}
const ALL_PAGES = { ...PAGES, ...PROFILE_PAGES }

export default function Console() {
  const { t } = useTranslation()
  const environments = useQuery(environmentsQuery)
  return (
    <QueryView query={environments}>
      {(environmentList) =>
        environmentList[0] ? (
          <Switch>
            <Route path="/console/:environmentId/:page">
              <ConsoleFrame environments={environmentList} />
            </Route>
            <Route>
              <Redirect to={`/console/${environmentList[0].id}/start`} replace />
            </Route>
          </Switch>
        ) : (
          <main className="center">
            <Empty title={t('noEnvironments')} />
            <Button onClick={() => endSession()}>{t('signOut')}</Button>
          </main>
        )
      }
    </QueryView>
  )
}

function ConsoleFrame({ environments }: { environments: readonly Environment[] }) {
  const { t } = useTranslation()
  const params = useParams<{ environmentId: string; page: string }>()
  const environment = environments.find(({ id }) => id === params.environmentId)
  const currentPage = Object.hasOwn(ALL_PAGES, params.page) ? ALL_PAGES[params.page] : undefined
  const title = currentPage ? t(currentPage.title) : ''
  useEffect(() => {
    document.title = `${title} · Wharf`
  }, [title])
  if (!environment || !currentPage) return <Redirect to={`/console/${environments[0]!.id}/start`} replace />
  return (
    <Frame
      label={t('console')}
      title={title}
      sidebar={<Sidebar environments={environments} environment={environment} page={params.page} />}
    >
      <div className="page wide">
        <Suspense fallback={<Loading />}>
          <currentPage.Page key={environment.id} environment={environment} />
        </Suspense>
      </div>
    </Frame>
  )
}

function Sidebar({
  environments,
  environment,
  page,
}: {
  environments: readonly Environment[]
  environment: Environment
  page: string
}) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const session = useSession()
  return (
    <>
      <Brand />
      <SelectField
        hideLabel
        label={t('environment')}
        value={environment.id}
        options={environments.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => navigate(`/console/${event.target.value}/${page}`)}
      />
      <nav aria-label={t('navigation')}>
        {Object.entries(PAGES).map(([name, { title, Icon }]) => (
          <Link
            key={name}
            href={`/console/${environment.id}/${name}`}
            className="item"
            aria-current={name === page ? 'page' : undefined}
          >
            <Icon aria-hidden="true" />
            <span className="clip grow">{t(title)}</span>
          </Link>
        ))}
      </nav>
      <footer>
        <Menu
          label={session?.email ? `${t('profile')}: ${session.email}` : t('profile')}
          entries={Object.entries(PROFILE_PAGES).map(([name, { title }]) => ({
            id: name,
            label: t(title),
            run: () => navigate(`/console/${environment.id}/${name}`),
          }))}
        >
          <span className="clip">{session?.email ?? t('profile')}</span>
        </Menu>
        <a href="/docs" target="_blank" rel="noreferrer">
          {t('reference')}
        </a>
        <Preferences />
      </footer>
    </>
  )
}
