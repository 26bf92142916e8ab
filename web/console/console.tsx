/** The console: administration of an account with its environments, spaces, users and keys. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { Redirect, Route, Switch, useParams } from 'wouter'
import { endSession } from '../shared/api/session.ts'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { Frame } from '../shared/ui/frame.tsx'
import { Empty, Loading, QueryView } from '../shared/ui/states.tsx'
import { type Environment, EnvironmentContext, environmentsQuery, usePath } from './data.ts'
import { PAGES } from './navigation.ts'
import { Missing, PageHeader } from './parts/page.tsx'
import { Sidebar } from './sidebar.tsx'
import './console.css'

const Palette = lazy(() => import('./palette/palette.tsx'))

export default function Console() {
  const { t } = useTranslation()
  const environments = useQuery(environmentsQuery)
  return (
    <QueryView query={environments}>
      {(environmentList) =>
        environmentList[0] ? (
          <Switch>
            <Route path="/console">
              <Redirect to={`/console/${environmentList[0].id}/home`} replace />
            </Route>
            <Route path="/console/:environmentId">
              {({ environmentId }) => <Redirect to={`/console/${environmentId}/home`} replace />}
            </Route>
            <Route path="/console/:environmentId/:page/:id?/:tab?">
              <ConsoleFrame environments={environmentList} />
            </Route>
            <Route>
              <Redirect to={`/console/${environmentList[0].id}/nothing`} replace />
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
  const { environmentId, page } = useParams<{ environmentId: string; page: string }>()
  const environment = environments.find(({ id }) => id === environmentId)
  const current = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined
  const title = t(current?.title ?? 'pageMissing')
  const palette = usePalette()
  useEffect(() => {
    document.title = `${title} · Wharf`
  }, [title])
  if (!environment) return <Redirect to={`/console/${environments[0]!.id}/home`} replace />
  return (
    <EnvironmentContext value={environment}>
      <Frame
        label={t('console')}
        title={title}
        sidebar={<Sidebar environments={environments} environment={environment} page={page} onSearch={palette.open} />}
      >
        <div className="page wide">
          <Suspense fallback={<Loading />}>
            <CurrentPage key={environment.id} environment={environment} />
          </Suspense>
        </div>
      </Frame>
      {palette.isOpen && (
        <Suspense>
          <Palette environment={environment} onClose={palette.close} />
        </Suspense>
      )}
    </EnvironmentContext>
  )
}

function CurrentPage({ environment }: { environment: Environment }) {
  const { t } = useTranslation()
  const path = usePath()
  const { page, id, tab } = useParams<{ page: string; id?: string; tab?: string }>()
  const current = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined
  if (current && id === undefined) return <current.Page environment={environment} />
  if (current?.ObjectPage && id !== undefined)
    return <current.ObjectPage key={id} environment={environment} id={id} tab={tab} />
  return (
    <>
      <PageHeader title={t('pageMissing')} />
      <Missing title={t('pageMissingText')} parent={{ title: t('goHome'), href: path('home') }} />
    </>
  )
}

function usePalette() {
  const [isOpen, setIsOpen] = useState(false)
  const open = useCallback(() => setIsOpen(true), [])
  const close = useCallback(() => setIsOpen(false), [])
  useEffect(() => {
    const openByKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setIsOpen(true)
    }
    addEventListener('keydown', openByKey)
    return () => removeEventListener('keydown', openByKey)
  }, [])
  return { isOpen, open, close }
}
