/** Where administrators come in: by e-mail and password, by their provider, or back from it with a token. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask } from './api/client.ts'
import { begin, expiryOf, sessionEnded } from './api/session.ts'
import { useTexts } from './texts/texts.tsx'
import { Button, TextField } from './ui/controls.tsx'
import { LanguageChoice } from './ui/language.tsx'
import { Failure } from './ui/states.tsx'

export function SignIn({ token }: { token?: string }) {
  const { t } = useTexts()
  const [, go] = useLocation()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [accountId, setAccountId] = useState('')
  useEffect(() => {
    if (!token) return
    begin({ token, kind: 'user', expiresAt: expiryOf(token) })
    go('/console', { replace: true })
  }, [token, go])
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
        <details>
          <summary>{t('signInSso')}</summary>
          <TextField label={t('accountId')} value={accountId} onChange={(event) => setAccountId(event.target.value)} />
          <Button
            disabled={!accountId}
            onClick={() => location.assign(`/api/v1/auth/sso/start?accountId=${encodeURIComponent(accountId)}`)}
          >
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
