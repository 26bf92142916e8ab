/** The application: its routes, each loaded when it is opened. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { ApiError } from './api/client.ts'
import { useSession } from './api/session.ts'
import type { Arrival } from './arrival.ts'
import { SignedIn, SignIn } from './sign-in.tsx'
import { TextsProvider, useTexts } from './texts/texts.tsx'
import { Boundary } from './ui/boundary.tsx'
import { Loading } from './ui/states.tsx'
import { ToastRegion } from './ui/toast.tsx'

const Portal = lazy(() => import('../portal/portal.tsx'))
const Arriving = lazy(() => import('../portal/arriving.tsx'))
const Console = lazy(() => import('../console/console.tsx'))
const AcceptInvite = lazy(() => import('./accept-invite.tsx'))
const Embedded = lazy(() => import('../embed/embedded.tsx'))

/** A refusal is an answer: only what had none is asked again. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
  },
})

export function App({ arrival }: { arrival: Arrival }) {
  return (
    <QueryClientProvider client={queries}>
      <TextsProvider>
        <Boundary>
          <Suspense fallback={<Loading />}>
            <Routes arrival={arrival} />
          </Suspense>
        </Boundary>
        <ToastRegion />
      </TextsProvider>
    </QueryClientProvider>
  )
}

function Routes({ arrival }: { arrival: Arrival }) {
  const session = useSession()
  return (
    <Switch>
      <Route path="/sign-in">{session ? <Home /> : <SignIn />}</Route>
      <Route path="/accept-invite">
        <AcceptInvite token={arrival.token} />
      </Route>
      <Route path="/signed-in">
        <SignedIn arrival={arrival} />
      </Route>
      <Route path="/embed">
        <Embedded />
      </Route>
      <Route path="/s/:spaceId?/*?">
        {({ spaceId }) =>
          arrival.token || !session ? (
            <Arriving spaceId={spaceId} arrival={arrival} />
          ) : (
            <Portal key={spaceId} spaceId={spaceId} />
          )
        }
      </Route>
      <Route path="/console/*?">{session?.kind === 'user' ? <Console /> : <Home />}</Route>
      <Route path="/">
        <Home />
      </Route>
      <Route>
        <Missing />
      </Route>
    </Switch>
  )
}

function Home() {
  const session = useSession()
  if (!session) return <SignIn />
  return <Redirect to={session.kind === 'user' ? '/console' : '/s'} replace />
}

function Missing() {
  const { t } = useTexts()
  return (
    <main className="center">
      <h1>{t('pageMissing')}</h1>
      <a href="/">{t('toStart')}</a>
    </main>
  )
}
