/** Sharing of a data clip: its name, collaborators and link. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, CheckField, TextArea, TextField } from '../../shared/ui/controls.tsx'
import { CopyButton } from '../../shared/ui/copy.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ErrorNotice, QueryView } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type Clip, guestsQuery, type Space } from '../queries.ts'

interface Sharing {
  names: string
  isPublic: boolean
}

export const parseCollaborators = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

export function SharingFields({ value, onChange }: { value: Sharing; onChange(value: Sharing): void }) {
  const { t } = useTranslation()
  return (
    <>
      <TextArea
        label={t('clipCollaborators')}
        hint={t('clipCollaboratorsHint')}
        rows={3}
        dir="ltr"
        spellCheck={false}
        value={value.names}
        onChange={(event) => onChange({ ...value, names: event.target.value })}
      />
      <CheckField
        label={t('clipPublic')}
        checked={value.isPublic}
        onChange={(event) => onChange({ ...value, isPublic: event.target.checked })}
      />
    </>
  )
}

export function ClipLink({ clip }: { clip: Clip }) {
  const { t } = useTranslation()
  if (!clip.guestLinkUrl) return null
  return (
    <div className="inline">
      <TextField label={t('clipLink')} readOnly dir="ltr" value={clip.guestLinkUrl} />
      <CopyButton value={clip.guestLinkUrl} name={t('clipLink')} />
    </div>
  )
}

interface Props {
  space: Space
  clip: Clip
  onClose(): void
}

export function ShareClip({ space, clip, onClose }: Props) {
  const { t } = useTranslation()
  const guests = useQuery(guestsQuery(space.id))
  return (
    <Dialog title={t('share')} onClose={onClose}>
      <ClipLink clip={clip} />
      <QueryView query={guests}>
        {(guestList) => {
          const collaborators = clip.collaborators.map((id) => guestList.find((guest) => guest.id === id)?.email ?? id)
          return <ShareForm space={space} clip={clip} names={collaborators.join('\n')} onClose={onClose} />
        }}
      </QueryView>
    </Dialog>
  )
}

function ShareForm({ space, clip, names, onClose }: Props & { names: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [sharing, setSharing] = useState<Sharing>({ names, isPublic: clip.sharedLinkAccess === 'public' })
  const [name, setName] = useState(clip.name)
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        api.PATCH('/api/v1/data-clips/{dataClipId}', {
          params: { path: { dataClipId: clip.id } },
          body: {
            name,
            collaborators: parseCollaborators(sharing.names),
            sharedLinkAccess: sharing.isPublic ? 'public' : 'restricted',
          },
        }),
      ),
    onSuccess() {
      toast(t('saved'))
      return client.invalidateQueries({ queryKey: ['clips', space.id] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      {save.error && <ErrorNotice error={save.error} />}
      <TextField label={t('name')} required value={name} onChange={(event) => setName(event.target.value)} />
      <SharingFields value={sharing} onChange={setSharing} />
      <div className="actions">
        <Button onClick={onClose}>{t('close')}</Button>
        <Button type="submit" kind="primary" busy={save.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}
