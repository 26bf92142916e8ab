/** The console: administration of an account with its environments, spaces, users and keys. */
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { Link, Redirect, Route, Switch, useLocation, useParams } from 'wouter'
import { endSession, useSession } from '../shared/api/session.ts'
import { Brand } from '../shared/sign-in.tsx'
import { type TextKey, useTranslation } from '../shared/texts/texts.tsx'
import { Button, SelectField } from '../shared/ui/controls.tsx'
import { LanguageChoice } from '../shared/ui/language.tsx'
import { Menu } from '../shared/ui/menu.tsx'
import { Empty, Loading, QueryView } from '../shared/ui/states.tsx'
import { type Environment, environmentsQuery, type PageProps } from './data.ts'

const lazyPage = (load: () => Promise<{ default: ComponentType<PageProps> }>) => lazy(load)

const PAGES: Record<string, { title: TextKey; Page: ComponentType<PageProps> }> = {
  start: { title: 'firstSteps', Page: lazyPage(() => import('./pages/start.tsx')) },
  spaces: { title: 'spaces', Page: lazyPage(() => import('./pages/spaces.tsx')) },
  guests: { title: 'guests', Page: lazyPage(() => import('./pages/guests.tsx')) },
  jobs: { title: 'jobs', Page: lazyPage(() => import('./pages/jobs.tsx')) },
  events: { title: 'events', Page: lazyPage(() => import('./pages/events.tsx')) },
  agents: { title: 'agents', Page: lazyPage(() => import('./pages/agents.tsx')) },
  webhooks: { title: 'webhooks', Page: lazyPage(() => import('./pages/webhooks.tsx')) },
  secrets: { title: 'secrets', Page: lazyPage(() => import('./pages/secrets.tsx')) },
  retention: { title: 'retention', Page: lazyPage(() => import('./pages/retention.tsx')) },
  keys: { title: 'keys', Page: lazyPage(() => import('./pages/keys.tsx')) },
  environments: { title: 'environments', Page: lazyPage(() => import('./pages/environments.tsx')) },
  users: { title: 'users', Page: lazyPage(() => import('./pages/users.tsx')) },
  usage: { title: 'usage', Page: lazyPage(() => import('./pages/usage.tsx')) },
  audit: { title: 'audit', Page: lazyPage(() => import('./pages/audit.tsx')) },
}

const PROFILE_PAGES: typeof PAGES = {
  tokens: { title: 'tokens', Page: lazyPage(() => import('./pages/tokens.tsx')) },
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
  const [, navigate] = useLocation()
  const session = useSession()
  const environment = environments.find(({ id }) => id === params.environmentId)
  const currentPage = Object.hasOwn(ALL_PAGES, params.page) ? ALL_PAGES[params.page] : undefined
  const title = currentPage ? t(currentPage.title) : ''
  useEffect(() => {
    document.title = `${title} · Wharf`
  }, [title])
  if (!environment || !currentPage) return <Redirect to={`/console/${environments[0]!.id}/start`} replace />
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t('skipToContent')}
      </a>
      <aside className="sidebar" aria-label={t('console')}>
        <Brand />
        <SelectField
          hideLabel
          label={t('environment')}
          value={environment.id}
          options={environments.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => navigate(`/console/${event.target.value}/${params.page}`)}
        />
        <nav aria-label={t('navigation')}>
          {Object.entries(PAGES).map(([name, page]) => (
            <Link
              key={name}
              href={`/console/${environment.id}/${name}`}
              className="item"
              aria-current={name === params.page ? 'page' : undefined}
            >
              {t(page.title)}
            </Link>
          ))}
        </nav>
        <footer>
          <Menu
            label={session?.email ? `${t('profile')}: ${session.email}` : t('profile')}
            entries={Object.entries(PROFILE_PAGES).map(([name, page]) => ({
              id: name,
              label: t(page.title),
              run: () => navigate(`/console/${environment.id}/${name}`),
            }))}
          >
            <span className="clip">{session?.email ?? t('profile')}</span>
          </Menu>
          <a href="/docs" target="_blank" rel="noreferrer">
            {t('reference')}
          </a>
          <LanguageChoice />
          <Button kind="ghost" onClick={() => endSession()}>
            {t('signOut')}
          </Button>
        </footer>
      </aside>
      <main id="main" tabIndex={-1}>
        <div className="page wide">
          <Suspense fallback={<Loading />}>
            <currentPage.Page key={environment.id} environment={environment} />
          </Suspense>
        </div>
      </main>
    </div>
  )
}
