import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { CopyButton } from '../../shared/ui/copy.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { EnvironmentContext, spaceNamesQuery } from '../data.ts'
import { useAction, useRefresh } from './actions.tsx'
import { FormDialog } from './forms.tsx'

interface Access {
  guestId: string
  spaceId: string
}

const invite = (access: Access, message?: string) =>
  unwrap(api.POST('/api/v1/invitations', { body: [{ ...access, message: message || undefined }] }))

/** Without a space, the dialog asks for one. */
export function InviteDialog({ spaceId, onClose }: { spaceId?: string; onClose(): void }) {
  const { t } = useTranslation()
  const environment = useContext(EnvironmentContext)!
  const refresh = useRefresh()
  const spaces = useQuery({ ...spaceNamesQuery(environment.id), enabled: spaceId === undefined })
  if (spaceId === undefined && !spaces.data) return null
  const options = (spaces.data ?? []).map(({ id, name }) => ({ value: id, label: name || t('unnamed') }))
  return (
    <FormDialog
      title={t('invite')}
      action={t('sendInvite')}
      fields={[
        { name: 'email', label: t('email'), type: 'email' },
        { name: 'name', label: t('name') },
        ...(spaceId === undefined ? [{ name: 'spaceId', label: t('space'), options }] : []),
        { name: 'message', label: t('message'), type: 'area' as const, optional: true },
      ]}
      submit={async ({ email = '', name = '', message, ...chosen }) => {
        const target = spaceId ?? chosen.spaceId ?? ''
        const body = [{ environmentId: environment.id, email, name, spaces: [{ id: target }] }]
        const { data } = await unwrap(api.POST('/api/v1/guests', { body }))
        await invite({ guestId: data[0]!.id, spaceId: target }, message)
        return email
      }}
      onDone={(email) => {
        refresh('guests', 'guest')
        toast(t('invited', { email }))
        onClose()
      }}
      onClose={onClose}
    />
  )
}

/** Sent mails no longer contain their text, so a link is there only without a mail server. */
async function findInviteLink(environmentId: string, { guestId, spaceId }: Access): Promise<string | undefined> {
  const query = { environmentId, pageSize: 1000 }
  const { data } = await unwrap(api.GET('/api/v1/invitations', { params: { query } }))
  const [latest] = data
    .filter((invitation) => invitation.guestId === guestId && invitation.spaceId === spaceId && invitation.text)
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  return latest?.text?.match(/https?:\/\/\S+/)?.[0]
}

export function InviteButtons({ access, name }: { access: Access; name: string }) {
  const { t } = useTranslation()
  const environment = useContext(EnvironmentContext)!
  const resend = useAction(
    () => invite(access),
    ['invite-link'],
    () => toast(t('emailSent')),
  )
  const link = useQuery({
    queryKey: ['invite-link', access.guestId, access.spaceId],
    queryFn: async () => (await findInviteLink(environment.id, access)) ?? null,
    enabled: false,
  })
  return (
    <>
      <Button
        kind="ghost"
        busy={resend.isPending}
        aria-label={`${t('resend')}: ${name}`}
        onClick={() => resend.mutate()}
      >
        {t('resend')}
      </Button>
      <CopyButton
        name={name}
        label={t('copyInviteLink')}
        value={async () => {
          const { data } = await link.refetch()
          if (data) return data
          toast(t('inviteLinkGone'), 'error')
          throw new Error('The invitation has no link.')
        }}
      />
    </>
  )
}
