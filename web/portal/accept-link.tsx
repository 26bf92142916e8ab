/** Guest sign-in by magic link or shared link, and the form that requests a new link. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../shared/api/client.ts'
import {
  getSignedInId,
  parseExpiry,
  session,
  startSession,
  useSession,
  wasSessionRejected,
} from '../shared/api/session.ts'
import type { LinkToken } from '../shared/link-token.ts'
import { Brand } from '../shared/sign-in.tsx'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Button, TextField } from '../shared/ui/controls.tsx'
import { LanguageChoice } from '../shared/ui/language.tsx'
import { ErrorNotice, Loading } from '../shared/ui/states.tsx'

const exchangeLink = async (body: { token?: string; email?: string; spaceId?: string }) =>
  (await unwrap(api.POST('/api/v1/invitations/exchange', { body }))).data

async function loadGuestEmail(): Promise<void> {
  const guestId = getSignedInId()
  const previous = session()
  if (!guestId) return
  const { data } = await api.GET('/api/v1/guests/{guestId}', { params: { path: { guestId } } })
  if (data && previous && session() === previous) startSession({ ...previous, email: data.data.email })
}

function AlreadySignedIn({ onLink, onStay }: { onLink(): void; onStay(): void }) {
  const { t } = useTranslation()
  const email = useSession()?.email
  return (
    <main className="center">
      <div className="card narrow">
        <Brand />
        <h1>{t('welcome')}</h1>
        <p className="notice">{t('alreadySignedIn')}</p>
        <Button kind="primary" onClick={onStay}>
          {email ? t('continueAs', { who: email }) : t('staySignedIn')}
        </Button>
        <Button onClick={onLink}>{t('useLink')}</Button>
      </div>
      <LanguageChoice />
    </main>
  )
}

/** Tokens of mailed links have the id of their invitation, those of shared links the id of their space. */
const isMailed = (token: string | undefined): boolean => token?.includes('_inv_') ?? false

export default function AcceptLink({ spaceId, linkToken }: { spaceId?: string; linkToken: LinkToken }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const [wasUsed, setWasUsed] = useState(false)
  const current = useSession()
  const [confirmed, setConfirmed] = useState(!current)
  const signIn = (token: string, guestEmail?: string) => {
    linkToken.token = undefined
    startSession({
      token,
      kind: 'guest',
      email: guestEmail,
      byShared: guestEmail !== undefined,
      spaceId,
      expiresAt: parseExpiry(token),
    })
    if (!guestEmail) void loadGuestEmail()
    navigate(spaceId ? `/s/${spaceId}` : '/s', { replace: true })
  }
  const exchangeByLink = useMutation({
    mutationFn: () => exchangeLink({ token: linkToken.token }),
    onSuccess({ valid, token }) {
      if (valid && token) return signIn(token)
      // A mailed link works once, so only a new one can help.
      if (!isMailed(linkToken.token) || !spaceId) return
      linkToken.token = undefined
      setWasUsed(true)
    },
  })
  const exchangeByEmail = useMutation({
    mutationFn: () => exchangeLink(linkToken.token ? { token: linkToken.token, email } : { email, spaceId }),
    onSuccess({ valid, token }) {
      if (valid && token) signIn(token, email)
      else setSent(!linkToken.token)
    },
  })
  const hasTriedLink = useRef(false)
  useEffect(() => {
    if (!confirmed || !linkToken.token || hasTriedLink.current) return
    hasTriedLink.current = true
    exchangeByLink.mutate()
  }, [confirmed, linkToken, exchangeByLink])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    exchangeByEmail.mutate()
  }
  if (!confirmed)
    return (
      <AlreadySignedIn
        onLink={() => setConfirmed(true)}
        onStay={() => {
          linkToken.token = undefined
          navigate(spaceId && current?.spaceId === spaceId ? `/s/${spaceId}/` : '/', { replace: true })
        }}
      />
    )
  if (linkToken.token && (exchangeByLink.isPending || exchangeByLink.isIdle)) return <Loading />
  return (
    <main className="center">
      <form className="card narrow" onSubmit={submit}>
        <Brand />
        <h1>{t('welcome')}</h1>
        {wasUsed && !sent && <p className="notice warn">{t('linkExpired')}</p>}
        {wasSessionRejected() && <p className="notice">{t('sessionEnded')}</p>}
        {sent ? (
          <p className="notice">{t('linkSent', { email })}</p>
        ) : (
          <p className="muted">{linkToken.token ? t('enterInvitedEmail') : t('askForLink')}</p>
        )}
        {exchangeByEmail.error && <ErrorNotice error={exchangeByEmail.error} />}
        {exchangeByEmail.data && !exchangeByEmail.data.valid && linkToken.token && (
          <p className="notice error">{t('notInvited')}</p>
        )}
        <TextField
          label={t('email')}
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" kind="primary" busy={exchangeByEmail.isPending} disabled={!linkToken.token && !spaceId}>
          {linkToken.token ? t('continue') : t('sendLink')}
        </Button>
        <a href="/sign-in">{t('signInInstead')}</a>
      </form>
      <LanguageChoice />
    </main>
  )
}
