import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'
import type { Sheet, Space } from '../queries.ts'
import type { RecordSelection } from '../sheet/changes.ts'
import { ClipLink, parseCollaborators, SharingFields } from './sharing.tsx'

interface Props {
  space: Space
  sheet: Sheet
  selected: number
  subject(): Promise<{ query: RecordSelection }>
  onClose(): void
}

const MAX_IDS_PER_CALL = 10_000

export function NewClip({ space, sheet, selected, subject, onClose }: Props) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [sharing, setSharing] = useState({ names: '', isPublic: false })
  const createClip = useMutation({
    async mutationFn() {
      const { query } = await subject()
      const body = {
        name,
        sourceSheetId: sheet.id,
        collaborators: parseCollaborators(sharing.names),
        sharedLinkAccess: sharing.isPublic ? ('public' as const) : ('restricted' as const),
      }
      const clip = await unwrap(api.POST('/api/v1/data-clips', { body }))
      try {
        return { clip, count: await addRecords(clip.id, query) }
      } catch (error) {
        await unwrap(api.DELETE('/api/v1/data-clips/{dataClipId}', { params: { path: { dataClipId: clip.id } } }))
        throw error
      }
    },
    onSettled() {
      void client.invalidateQueries({ queryKey: ['clips', space.id] })
      void client.invalidateQueries({ queryKey: ['workbooks', space.id] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    createClip.mutate()
  }
  if (createClip.data) {
    const { clip, count } = createClip.data
    return (
      <Dialog title={clip.name} onClose={onClose}>
        <p className="notice" role="status">
          {t('clipRecordCount', { count })}
        </p>
        <ClipLink clip={clip} />
        <div className="actions">
          <Button onClick={onClose}>{t('close')}</Button>
          <Link className="button primary" href={`/s/${space.id}/sheets/${clip.clipSheetId}`}>
            {t('open')}
          </Link>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={t('createClip')} onClose={onClose}>
      <form onSubmit={submit}>
        {createClip.error && <ErrorNotice error={createClip.error} />}
        <p className="hint">{t('selected', { count: selected })}</p>
        <TextField
          label={t('name')}
          required
          maxLength={500}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SharingFields value={sharing} onChange={setSharing} />
        <div className="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={createClip.isPending}>
            {t('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

async function addRecords(dataClipId: string, selection: RecordSelection): Promise<number> {
  const add = async (query: Exclude<RecordSelection, { ids: string[] }>, recordIds?: string[]) => {
    const params = { path: { dataClipId }, query }
    const body = recordIds && { recordIds }
    return (await unwrap(api.POST('/api/v1/data-clips/{dataClipId}/add-records', { params, body }))).counts.total
  }
  if (!('ids' in selection)) return add(selection)
  let total = 0
  for (let offset = 0; offset < selection.ids.length; offset += MAX_IDS_PER_CALL)
    total = await add({}, selection.ids.slice(offset, offset + MAX_IDS_PER_CALL))
  return total
}
