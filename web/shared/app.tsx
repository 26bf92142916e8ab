import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { ApiError } from './api/client.ts'
import { useSession } from './api/session.ts'
import type { LinkToken } from './link-token.ts'
import { FinishSignOn, SignIn } from './sign-in.tsx'
import { I18nProvider, useTranslation } from './texts/texts.tsx'
import { Boundary } from './ui/boundary.tsx'
import { Loading } from './ui/states.tsx'
import { ToastRegion } from './ui/toast.tsx'
import './ui/frame.css'

/** Pages with components of react-aria, which the first page does not need. */
const lazyPage = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => {
    const [{ AriaLocale }, { default: Page }] = await Promise.all([import('./ui/aria-locale.tsx'), load()])
    return {
      default: (props: Props) => (
        <AriaLocale>
          <Page {...props} />
        </AriaLocale>
      ),
    }
  })

const Portal = lazyPage(() => import('../portal/portal.tsx'))
const AcceptLink = lazy(() => import('../portal/accept-link.tsx'))
const Console = lazyPage(() => import('../console/console.tsx'))
const Connect = lazy(() => import('./connect.tsx'))
const AcceptInvite = lazy(() => import('./accept-invite.tsx'))
const Embedded = lazyPage(() => import('../embed/embedded.tsx'))

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failureCount, error) =>
        failureCount < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
  },
})

export function App({ linkToken }: { linkToken: LinkToken }) {
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider>
        <Boundary>
          <Suspense fallback={<Loading />}>
            <Routes linkToken={linkToken} />
          </Suspense>
        </Boundary>
        <ToastRegion />
      </I18nProvider>
    </QueryClientProvider>
  )
}

function Routes({ linkToken }: { linkToken: LinkToken }) {
  const session = useSession()
  return (
    <Switch>
      <Route path="/sign-in">{session ? <Home /> : <SignIn />}</Route>
      <Route path="/accept-invite">
        <AcceptInvite token={linkToken.token} />
      </Route>
      <Route path="/connect">
        <Connect />
      </Route>
      <Route path="/signed-in">
        <FinishSignOn linkToken={linkToken} />
      </Route>
      <Route path="/embed">
        <Embedded />
      </Route>
      <Route path="/s/:spaceId?/*?">
        {({ spaceId }) =>
          linkToken.token || !session ? (
            <AcceptLink spaceId={spaceId} linkToken={linkToken} />
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
        <NotFound />
      </Route>
    </Switch>
  )
}

function Home() {
  const session = useSession()
  if (!session) return <SignIn />
  return <Redirect to={session.kind === 'user' ? '/console' : '/s'} replace />
}

function NotFound() {
  const { t } = useTranslation()
  return (
    <main className="center">
      <h1>{t('pageMissing')}</h1>
      <a href="/">{t('goHome')}</a>
    </main>
  )
}
