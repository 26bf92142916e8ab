/** The bar above the sheet of a clip, with its status and actions. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Confirm } from '../../shared/ui/dialog.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { Badge, ErrorNotice } from '../../shared/ui/states.tsx'
import { type Clip, clipsQuery, type Sheet, type Space } from '../queries.ts'
import { isMerged, mergedCountQuery, summaryQuery } from './data.ts'
import { ReviewClip } from './review.tsx'
import { ShareClip } from './sharing.tsx'
import './clips.css'

interface Props {
  space: Space
  sheet: Sheet
}

export function ClipBar({ space, sheet }: Props) {
  const { t } = useTranslation()
  const clips = useQuery(clipsQuery(space.id))
  const clip = clips.data?.find(({ clipSheetId }) => clipSheetId === sheet.id)
  if (clips.error) return <ErrorNotice error={clips.error} />
  if (!clip) return null
  const merged = isMerged(clip)
  const open = clip.status === 'open' ? t('clipOpen') : clip.status
  const canReview = clip.guestLinkUrl !== undefined
  return (
    <section className="clip-bar" aria-label={t('sideClip')}>
      <span className="hint">{t('sideClip')}</span>
      <strong className="clip" dir="auto">
        {clip.name}
      </strong>
      <Badge tone={merged ? 'good' : 'neutral'}>{merged ? t('clipMerged') : open}</Badge>
      <span className="grow" />
      {canReview && <ReviewButtons space={space} sheet={sheet} clip={clip} />}
    </section>
  )
}

function ReviewButtons({ space, sheet, clip }: Props & { clip: Clip }) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const [open, setOpen] = useState<'review' | 'share' | 'delete'>()
  const merged = isMerged(clip)
  const summary = useQuery({ ...summaryQuery(clip.id), enabled: !merged })
  const changedCount = useQuery({ ...mergedCountQuery(clip), enabled: merged })
  const sourcePath = `/s/${space.id}/sheets/${clip.sourceSheetId}`
  const close = () => setOpen(undefined)
  const remove = useMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/api/v1/data-clips/{dataClipId}', { params: { path: { dataClipId: clip.id } } })),
    onSuccess() {
      navigate(sourcePath, { replace: true })
      void client.invalidateQueries({ queryKey: ['clips', space.id] })
      void client.invalidateQueries({ queryKey: ['workbooks', space.id] })
    },
    onError: showError,
  })
  const { conflicts = 0 } = summary.data ?? {}
  return (
    <>
      {changedCount.data !== undefined && <span>{t('mergedCount', { count: changedCount.data })}</span>}
      {!merged && (
        <Button kind="primary" onClick={() => setOpen('review')}>
          {t('reviewClip')}
        </Button>
      )}
      {!merged && conflicts > 0 && <Badge tone="fair">{t('clipConflicts', { count: conflicts })}</Badge>}
      <Button onClick={() => setOpen('share')}>{t('share')}</Button>
      <Link href={sourcePath} className="button plain">
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
