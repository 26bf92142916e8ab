/** Sign-in by email and password, or by the account's identity provider. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from './api/client.ts'
import { parseExpiry, startSession, useSession, wasSessionRejected } from './api/session.ts'
import type { LinkToken } from './link-token.ts'
import { takeReturnPage } from './return-page.ts'
import { startSignOn, verifySignOnState } from './sso.ts'
import { useTranslation } from './texts/texts.tsx'
import { Button, TextField } from './ui/controls.tsx'
import { LanguageChoice } from './ui/language.tsx'
import { ErrorNotice } from './ui/states.tsx'

export function FinishSignOn({ linkToken }: { linkToken: LinkToken }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const current = useSession()
  const [isOwnSignOn] = useState(() => linkToken.token !== undefined && verifySignOnState(linkToken.state))
  useEffect(() => {
    const { token } = linkToken
    if (!isOwnSignOn || !token) return
    linkToken.token = undefined
    startSession({ token, kind: 'user', expiresAt: parseExpiry(token) })
    navigate(takeReturnPage(), { replace: true })
  }, [isOwnSignOn, linkToken, navigate])
  if (isOwnSignOn) return null
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
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [accountId, setAccountId] = useState(() => new URLSearchParams(location.search).get('accountId') ?? '')
  const [showsAccountField] = useState(accountId !== '')
  const signIn = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/auth', { body: { email, password } })),
    onSuccess(result) {
      startSession({ token: result.accessToken, kind: 'user', email, expiresAt: parseExpiry(result.accessToken) })
      navigate(takeReturnPage(), { replace: true })
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
        {wasSessionRejected() && <p className="notice">{t('sessionEnded')}</p>}
        {signIn.error && <ErrorNotice error={signIn.error} />}
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
        <details open={showsAccountField}>
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
