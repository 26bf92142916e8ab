/** Makes a data clip of records of a sheet, and shows the link to it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Failure } from '../../shared/ui/states.tsx'
import type { Sheet, Space } from '../data.ts'
import type { Chosen } from '../sheet/changes.ts'
import { ClipLink, namesIn, SharingFields } from './sharing.tsx'

interface Given {
  space: Space
  sheet: Sheet
  /** How many records are selected. */
  selected: number
  subject(): Promise<{ query: Chosen }>
  onClose(): void
}

/** Records one call takes. */
const IDS_PER_CALL = 10_000

export function NewClip({ space, sheet, selected, subject, onClose }: Given) {
  const { t, number } = useTexts()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [sharing, setSharing] = useState({ names: '', isPublic: false })
  const make = useMutation({
    async mutationFn() {
      const { query } = await subject()
      const body = {
        name,
        sourceSheetId: sheet.id,
        collaborators: namesIn(sharing.names),
        sharedLinkAccess: sharing.isPublic ? ('public' as const) : ('restricted' as const),
      }
      const clip = await ask(api.POST('/api/v1/data-clips', { body }))
      try {
        return { clip, count: await fill(clip.id, query) }
      } catch (error) {
        // One without its records would be taken for whole.
        await ask(api.DELETE('/api/v1/data-clips/{dataClipId}', { params: { path: { dataClipId: clip.id } } }))
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
    make.mutate()
  }
  if (make.data) {
    const { clip, count } = make.data
    return (
      <Dialog title={clip.name} onClose={onClose}>
        <p className="notice" role="status">
          {t('clipMade', { count: number(count) })}
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
    <Dialog title={t('makeClip')} onClose={onClose}>
      <form onSubmit={submit}>
        {make.error && <Failure error={make.error} />}
        <p className="hint">{t('selected', { count: number(selected) })}</p>
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
          <Button type="submit" kind="primary" busy={make.isPending}>
            {t('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** @returns how many records are in the clip then */
async function fill(dataClipId: string, chosen: Chosen): Promise<number> {
  const add = async (query: Exclude<Chosen, { ids: string[] }>, recordIds?: string[]) => {
    const params = { path: { dataClipId }, query }
    const body = recordIds && { recordIds }
    return (await ask(api.POST('/api/v1/data-clips/{dataClipId}/add-records', { params, body }))).counts.total
  }
  if (!('ids' in chosen)) return add(chosen)
  let total = 0
  for (let at = 0; at < chosen.ids.length; at += IDS_PER_CALL)
    total = await add({}, chosen.ids.slice(at, at + IDS_PER_CALL))
  return total
}
