import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, TextArea } from '../../shared/ui/controls.tsx'
import { CopyButton } from '../../shared/ui/copy.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'
import { addGuests, type Space } from './create.ts'

export function Done({ environmentId, space, onAgain }: { environmentId: string; space: Space; onAgain(): void }) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="done card">
      <CircleCheck aria-hidden="true" className="done-icon" />
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {t('spaceIsReady', { name: space.name })}
      </h1>
      <p className="muted">{t('spaceIsReadyText')}</p>
      {space.guestLink && space.guestAuthentication === 'shared_link' && (
        <div className="guest-link">
          <code className="clip">{space.guestLink}</code>
          <CopyButton value={space.guestLink} name={t('guestLink')} />
        </div>
      )}
      <GuestForm environmentId={environmentId} spaceId={space.id} />
      <div className="actions">
        <Button onClick={onAgain}>{t('anotherWorkbook')}</Button>
        <Link className="button primary" href={`/s/${space.id}`}>
          {t('openTheSpace')}
        </Link>
      </div>
    </div>
  )
}

const splitEmails = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))]

function GuestForm({ environmentId, spaceId }: { environmentId: string; spaceId: string }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const emails = splitEmails(text)
  const invite = useMutation({
    mutationFn: () => addGuests(environmentId, spaceId, emails),
    onSuccess: () => setText(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (emails.length > 0) invite.mutate()
  }
  return (
    <form onSubmit={submit}>
      {invite.error && <ErrorNotice error={invite.error} />}
      <TextArea
        label={t('inviteGuests')}
        hint={t('inviteGuestsHint')}
        rows={2}
        dir="ltr"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="actions">
        {invite.isSuccess && (
          <span role="status" className="good">
            {t('guestsInvited')}
          </span>
        )}
        <Button type="submit" busy={invite.isPending}>
          {t('invite')}
        </Button>
      </div>
    </form>
  )
}
