/** Where an account is run: its environments, spaces, people, keys, and what happens in them. */
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { Link, Redirect, Route, Switch, useLocation, useParams } from 'wouter'
import { end, useSession } from '../shared/api/session.ts'
import { Brand } from '../shared/sign-in.tsx'
import { type TextKey, useTexts } from '../shared/texts/texts.tsx'
import { Button, SelectField } from '../shared/ui/controls.tsx'
import { LanguageChoice } from '../shared/ui/language.tsx'
import { Menu } from '../shared/ui/menu.tsx'
import { Empty, Loading, Shown } from '../shared/ui/states.tsx'
import { type Environment, environmentsQuery, type Given } from './data.ts'

const page = (load: () => Promise<{ default: ComponentType<Given> }>) => lazy(load)

/** In the order of the navigation; a path is the page's name. */
const PAGES: Record<string, { title: TextKey; Page: ComponentType<Given> }> = {
  start: { title: 'firstSteps', Page: page(() => import('./pages/start.tsx')) },
  spaces: { title: 'spaces', Page: page(() => import('./pages/spaces.tsx')) },
  guests: { title: 'guests', Page: page(() => import('./pages/guests.tsx')) },
  jobs: { title: 'jobs', Page: page(() => import('./pages/jobs.tsx')) },
  events: { title: 'events', Page: page(() => import('./pages/events.tsx')) },
  agents: { title: 'agents', Page: page(() => import('./pages/agents.tsx')) },
  webhooks: { title: 'webhooks', Page: page(() => import('./pages/webhooks.tsx')) },
  secrets: { title: 'secrets', Page: page(() => import('./pages/secrets.tsx')) },
  retention: { title: 'retention', Page: page(() => import('./pages/retention.tsx')) },
  keys: { title: 'keys', Page: page(() => import('./pages/keys.tsx')) },
  environments: { title: 'environments', Page: page(() => import('./pages/environments.tsx')) },
  users: { title: 'users', Page: page(() => import('./pages/users.tsx')) },
  usage: { title: 'usage', Page: page(() => import('./pages/usage.tsx')) },
  audit: { title: 'audit', Page: page(() => import('./pages/audit.tsx')) },
}

/** What is the user's own, not the account's: in the menu of the profile. */
const PROFILE: typeof PAGES = {
  tokens: { title: 'tokens', Page: page(() => import('./pages/tokens.tsx')) },
}
const ALL_PAGES = { ...PAGES, ...PROFILE }

export default function Console() {
  const { t } = useTexts()
  const environments = useQuery(environmentsQuery)
  return (
    <Shown of={environments}>
      {(all) =>
        all[0] ? (
          <Switch>
            <Route path="/console/:environmentId/:page">
              <Framed environments={all} />
            </Route>
            <Route>
              <Redirect to={`/console/${all[0].id}/start`} replace />
            </Route>
          </Switch>
        ) : (
          <main className="center">
            <Empty title={t('noEnvironments')} />
            <Button onClick={() => end()}>{t('signOut')}</Button>
          </main>
        )
      }
    </Shown>
  )
}

function Framed({ environments }: { environments: readonly Environment[] }) {
  const { t } = useTexts()
  const params = useParams<{ environmentId: string; page: string }>()
  const [, go] = useLocation()
  const session = useSession()
  const environment = environments.find(({ id }) => id === params.environmentId)
  const shown = Object.hasOwn(ALL_PAGES, params.page) ? ALL_PAGES[params.page] : undefined
  const title = shown ? t(shown.title) : ''
  useEffect(() => {
    document.title = `${title} · Wharf`
  }, [title])
  if (!environment || !shown) return <Redirect to={`/console/${environments[0]!.id}/start`} replace />
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
          onChange={(event) => go(`/console/${event.target.value}/${params.page}`)}
        />
        <nav aria-label={t('navigation')}>
          {Object.entries(PAGES).map(([name, each]) => (
            <Link
              key={name}
              href={`/console/${environment.id}/${name}`}
              className="item"
              aria-current={name === params.page ? 'page' : undefined}
            >
              {t(each.title)}
            </Link>
          ))}
        </nav>
        <footer>
          <Menu
            label={session?.email ? `${t('profile')}: ${session.email}` : t('profile')}
            entries={Object.entries(PROFILE).map(([name, each]) => ({
              id: name,
              label: t(each.title),
              run: () => go(`/console/${environment.id}/${name}`),
            }))}
          >
            <span className="clip">{session?.email ?? t('profile')}</span>
          </Menu>
          <a href="/docs" target="_blank" rel="noreferrer">
            {t('reference')}
          </a>
          <LanguageChoice />
          <Button kind="ghost" onClick={() => end()}>
            {t('signOut')}
          </Button>
        </footer>
      </aside>
      <main id="main" tabIndex={-1}>
        <div className="page wide">
          <Suspense fallback={<Loading />}>
            <shown.Page key={environment.id} environment={environment} />
          </Suspense>
        </div>
      </main>
    </div>
  )
}
