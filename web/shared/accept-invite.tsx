import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from './api/client.ts'
import { parseExpiry, startSession } from './api/session.ts'
import { Brand } from './sign-in.tsx'
import { useTranslation } from './texts/texts.tsx'
import { Button, TextField } from './ui/controls.tsx'
import { ErrorNotice } from './ui/states.tsx'

export default function AcceptInvite({ token }: { token?: string }) {
  const { t } = useTranslation()
  const [, go] = useLocation()
  const [password, setPassword] = useState('')
  const accept = useMutation({
    async mutationFn() {
      const { data } = await unwrap(api.POST('/api/v1/users/accept-invite', { body: { token: token ?? '', password } }))
      return unwrap(api.POST('/api/v1/auth', { body: { email: data.email, password } }))
    },
    onSuccess({ accessToken, email }) {
      startSession({ token: accessToken, kind: 'user', email, expiresAt: parseExpiry(accessToken) })
      go('/console', { replace: true })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    accept.mutate()
  }
  return (
    <main className="center">
      <form className="card narrow" onSubmit={submit}>
        <Brand />
        <h1>{t('choosePassword')}</h1>
        {!token && <p className="notice error">{t('linkIncomplete')}</p>}
        {accept.error && <ErrorNotice error={accept.error} />}
        <TextField
          label={t('password')}
          type="password"
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" kind="primary" disabled={!token} busy={accept.isPending}>
          {t('continue')}
        </Button>
      </form>
    </main>
  )
}
