/** Above the sheet of a clip: whose copy it is, how it stands, and for who may change the clip what is done with it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Confirm } from '../../shared/ui/dialog.tsx'
import { Failure } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type Clip, clipsQuery, type Sheet, type Space } from '../data.ts'
import { isMerged, mergedCountQuery, summaryQuery } from './data.ts'
import { ReviewClip } from './review.tsx'
import { ShareClip } from './sharing.tsx'

interface Given {
  space: Space
  sheet: Sheet
}

/** Nothing, above any other sheet. */
export function ClipBar({ space, sheet }: Given) {
  const { t } = useTexts()
  const clips = useQuery(clipsQuery(space.id))
  const clip = clips.data?.find(({ clipSheetId }) => clipSheetId === sheet.id)
  if (clips.error) return <Failure error={clips.error} />
  if (!clip) return null
  const merged = isMerged(clip)
  const open = clip.status === 'open' ? t('clipOpen') : clip.status
  // Guests are not told: they work on it and look through nothing.
  const mayReview = clip.guestLinkUrl !== undefined
  return (
    <section className="clip-bar" aria-label={t('sideClip')}>
      <span className="hint">{t('sideClip')}</span>
      <strong className="clip" dir="auto">
        {clip.name}
      </strong>
      <span className={`badge ${merged ? 'good' : ''}`}>{merged ? t('clipMerged') : open}</span>
      <span className="grow" />
      {mayReview && <Reviewing space={space} sheet={sheet} clip={clip} />}
    </section>
  )
}

function Reviewing({ space, sheet, clip }: Given & { clip: Clip }) {
  const { t, number } = useTexts()
  const [, go] = useLocation()
  const client = useQueryClient()
  const [open, setOpen] = useState<'review' | 'share' | 'delete'>()
  const merged = isMerged(clip)
  const summary = useQuery({ ...summaryQuery(clip.id), enabled: !merged })
  const changed = useQuery({ ...mergedCountQuery(clip), enabled: merged })
  const source = `/s/${space.id}/sheets/${clip.sourceSheetId}`
  const close = () => setOpen(undefined)
  const remove = useMutation({
    mutationFn: () => ask(api.DELETE('/api/v1/data-clips/{dataClipId}', { params: { path: { dataClipId: clip.id } } })),
    onSuccess() {
      go(source, { replace: true })
      void client.invalidateQueries({ queryKey: ['clips', space.id] })
      void client.invalidateQueries({ queryKey: ['workbooks', space.id] })
    },
    onError: (error) => toast(error.message, 'error'),
  })
  const { conflicts = 0 } = summary.data ?? {}
  return (
    <>
      {changed.data !== undefined && <span>{t('mergedCount', { count: number(changed.data) })}</span>}
      {!merged && (
        <Button kind="primary" onClick={() => setOpen('review')}>
          {t('reviewClip')}
        </Button>
      )}
      {!merged && conflicts > 0 && (
        <span className="badge fair">{t('clipConflicts', { count: number(conflicts) })}</span>
      )}
      <Button onClick={() => setOpen('share')}>{t('share')}</Button>
      <Link href={source} className="button plain">
        {t('toSource')}
      </Link>
      <Button kind="ghost" aria-label={`${t('delete')}: ${clip.name}`} onClick={() => setOpen('delete')}>
        {t('delete')}
      </Button>
      {open === 'review' && !merged && <ReviewClip space={space} clip={clip} sheet={sheet} onClose={close} />}
      {open === 'share' && <ShareClip space={space} clip={clip} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          title={t('delete')}
          text={t('deleteForGood', { name: clip.name })}
          action={t('delete')}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </>
  )
}
