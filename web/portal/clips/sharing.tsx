/** A data clip's name, and who gets it: guests by their addresses, or whoever has its link. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, CheckField, TextArea, TextField } from '../../shared/ui/controls.tsx'
import { Copy } from '../../shared/ui/copy.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Failure, Shown } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type Clip, guestsQuery, type Space } from '../data.ts'

interface Sharing {
  /** Addresses, or ids of those whose address is not known here; one a line. */
  names: string
  isPublic: boolean
}

export const namesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

export function SharingFields({ value, onChange }: { value: Sharing; onChange(value: Sharing): void }) {
  const { t } = useTexts()
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
  const { t } = useTexts()
  if (!clip.guestLinkUrl) return null
  return (
    <div className="inline">
      <TextField label={t('clipLink')} readOnly dir="ltr" value={clip.guestLinkUrl} />
      <Copy value={clip.guestLinkUrl} name={t('clipLink')} />
    </div>
  )
}

interface Given {
  space: Space
  clip: Clip
  onClose(): void
}

export function ShareClip({ space, clip, onClose }: Given) {
  const { t } = useTexts()
  const guests = useQuery(guestsQuery(space.id))
  return (
    <Dialog title={t('share')} onClose={onClose}>
      <ClipLink clip={clip} />
      <Shown of={guests}>
        {(known) => {
          const named = clip.collaborators.map((id) => known.find((guest) => guest.id === id)?.email ?? id)
          return <Form space={space} clip={clip} names={named.join('\n')} onClose={onClose} />
        }}
      </Shown>
    </Dialog>
  )
}

function Form({ space, clip, names, onClose }: Given & { names: string }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const [sharing, setSharing] = useState<Sharing>({ names, isPublic: clip.sharedLinkAccess === 'public' })
  const [name, setName] = useState(clip.name)
  const keep = useMutation({
    mutationFn: () =>
      ask(
        api.PATCH('/api/v1/data-clips/{dataClipId}', {
          params: { path: { dataClipId: clip.id } },
          body: {
            name,
            collaborators: namesIn(sharing.names),
            sharedLinkAccess: sharing.isPublic ? 'public' : 'restricted',
          },
        }),
      ),
    // The link may be another one then: it stays to be copied.
    onSuccess() {
      toast(t('saved'))
      return client.invalidateQueries({ queryKey: ['clips', space.id] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    keep.mutate()
  }
  return (
    <form onSubmit={submit}>
      {keep.error && <Failure error={keep.error} />}
      <TextField label={t('name')} required value={name} onChange={(event) => setName(event.target.value)} />
      <SharingFields value={sharing} onChange={setSharing} />
      <div className="actions">
        <Button onClick={onClose}>{t('close')}</Button>
        <Button type="submit" kind="primary" busy={keep.isPending}>
          {t('keep')}
        </Button>
      </div>
    </form>
  )
}
