/** Where administrators sign in: by e-mail and password, or by their provider, which leads them back with a token. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask } from './api/client.ts'
import { begin, expiryOf, sessionEnded, useSession } from './api/session.ts'
import type { Arrival } from './arrival.ts'
import { endsSignOn, startSignOn } from './sso.ts'
import { useTexts } from './texts/texts.tsx'
import { Button, TextField } from './ui/controls.tsx'
import { LanguageChoice } from './ui/language.tsx'
import { Failure } from './ui/states.tsx'

/** Takes the token that a single sign-on ends with, if this tab started it. */
export function SignedIn({ arrival }: { arrival: Arrival }) {
  const { t } = useTexts()
  const [, go] = useLocation()
  const current = useSession()
  const [taken] = useState(() => arrival.token !== undefined && endsSignOn(arrival.state))
  useEffect(() => {
    const { token } = arrival
    if (!taken || !token) return
    arrival.token = undefined
    begin({ token, kind: 'user', expiresAt: expiryOf(token) })
    go('/console', { replace: true })
  }, [taken, arrival, go])
  if (taken) return null
  if (!current) return <SignIn notice={t('signInNotStarted')} />
  return (
    <main className="center">
      <div className="card narrow">
        <Brand />
        <p className="notice">{t('signInNotStarted')}</p>
        <a className="button primary" href="/">
          {t('staySignedIn')}
        </a>
      </div>
    </main>
  )
}

export function SignIn({ notice }: { notice?: string }) {
  const { t } = useTexts()
  const [, go] = useLocation()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [accountId, setAccountId] = useState(() => new URLSearchParams(location.search).get('accountId') ?? '')
  const [asksAccount] = useState(accountId !== '')
  const signIn = useMutation({
    mutationFn: () => ask(api.POST('/api/v1/auth', { body: { email, password } })),
    onSuccess(answer) {
      begin({ token: answer.accessToken, kind: 'user', email, expiresAt: expiryOf(answer.accessToken) })
      go('/console', { replace: true })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <main className="center">
      <form className="card narrow" onSubmit={submit}>
        <Brand />
        <h1>{t('signIn')}</h1>
        {notice && <p className="notice">{notice}</p>}
        {sessionEnded() && <p className="notice">{t('sessionEnded')}</p>}
        {signIn.error && <Failure error={signIn.error} />}
        <TextField
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={t('password')}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" kind="primary" busy={signIn.isPending}>
          {t('signIn')}
        </Button>
        <details open={asksAccount}>
          <summary>{t('signInSso')}</summary>
          <TextField label={t('accountId')} value={accountId} onChange={(event) => setAccountId(event.target.value)} />
          <Button disabled={!accountId} onClick={() => startSignOn(accountId)}>
            {t('continue')}
          </Button>
        </details>
      </form>
      <LanguageChoice />
    </main>
  )
}

export const Brand = () => (
  <div className="brand">
    <img src="/icon.svg" alt="" width="22" height="22" />
    <span>Wharf</span>
  </div>
)
