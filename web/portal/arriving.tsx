/** How guests come in: by a link that works once, by the link of a space with their address, or by asking for a link. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask } from '../shared/api/client.ts'
import { begin, expiryOf, session, sessionEnded, signedInId, useSession } from '../shared/api/session.ts'
import type { Arrival } from '../shared/arrival.ts'
import { Brand } from '../shared/sign-in.tsx'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button, TextField } from '../shared/ui/controls.tsx'
import { LanguageChoice } from '../shared/ui/language.tsx'
import { Failure, Loading } from '../shared/ui/states.tsx'

const exchange = async (body: { token?: string; email?: string; spaceId?: string }) =>
  (await ask(api.POST('/api/v1/invitations/exchange', { body }))).data

/** A magic link says nothing of whose it is: the guest does, once it is in. */
async function noteAddress(): Promise<void> {
  const guestId = signedInId()
  const before = session()
  if (!guestId) return
  const { data } = await api.GET('/api/v1/guests/{guestId}', { params: { path: { guestId } } })
  if (data && before && session() === before) begin({ ...before, email: data.data.email })
}

/** No link takes the place of a session without being asked to. */
function AlreadySignedIn({ onLink, onStay }: { onLink(): void; onStay(): void }) {
  const { t } = useTexts()
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

export default function Arriving({ spaceId, arrival }: { spaceId?: string; arrival: Arrival }) {
  const { t } = useTexts()
  const [, go] = useLocation()
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const current = useSession()
  const [confirmed, setConfirmed] = useState(!current)
  const enter = (token: string, address?: string) => {
    arrival.token = undefined
    begin({
      token,
      kind: 'guest',
      email: address,
      byShared: address !== undefined,
      spaceId,
      expiresAt: expiryOf(token),
    })
    if (!address) void noteAddress()
    go(spaceId ? `/s/${spaceId}` : '/s', { replace: true })
  }
  // A magic link works at once; a shared one also needs the address.
  const byLink = useMutation({
    mutationFn: () => exchange({ token: arrival.token }),
    onSuccess: ({ valid, token }) => valid && token && enter(token),
  })
  const byAddress = useMutation({
    mutationFn: () => exchange(arrival.token ? { token: arrival.token, email } : { email, spaceId }),
    onSuccess({ valid, token }) {
      if (valid && token) enter(token, email)
      else setSent(!arrival.token)
    },
  })
  const tried = useRef(false)
  useEffect(() => {
    if (!confirmed || !arrival.token || tried.current) return
    tried.current = true
    byLink.mutate()
  }, [confirmed, arrival, byLink])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    byAddress.mutate()
  }
  if (!confirmed)
    return (
      <AlreadySignedIn
        onLink={() => setConfirmed(true)}
        onStay={() => {
          arrival.token = undefined
          go(spaceId && current?.spaceId === spaceId ? `/s/${spaceId}/` : '/', { replace: true })
        }}
      />
    )
  if (arrival.token && (byLink.isPending || byLink.isIdle)) return <Loading />
  return (
    <main className="center">
      <form className="card narrow" onSubmit={submit}>
        <Brand />
        <h1>{t('welcome')}</h1>
        {sessionEnded() && <p className="notice">{t('sessionEnded')}</p>}
        {sent ? (
          <p className="notice">{t('linkSent', { email })}</p>
        ) : (
          <p className="muted">{arrival.token ? t('giveAddress') : t('askForLink')}</p>
        )}
        {byAddress.error && <Failure error={byAddress.error} />}
        {byAddress.data && !byAddress.data.valid && arrival.token && <p className="notice error">{t('notInvited')}</p>}
        <TextField
          label={t('email')}
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" kind="primary" busy={byAddress.isPending} disabled={!arrival.token && !spaceId}>
          {t('continue')}
        </Button>
        <a href="/sign-in">{t('signInInstead')}</a>
      </form>
      <LanguageChoice />
    </main>
  )
}
