/** Dialog that shows and resolves the differences between a clip and its source. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { Button, CheckField } from '../../shared/ui/controls.tsx'
import { Confirm, Dialog } from '../../shared/ui/dialog.tsx'
import { Badge, Empty, ErrorNotice, QueryView } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Clip, Sheet, Space } from '../queries.ts'
import { buildDifferencesKey, decideAll, differencesQuery, mergedCountQuery, summaryQuery } from './data.ts'
import { DifferenceRow } from './difference.tsx'
import './clips.css'

const PAGE_STEP = 50
const MAX_RECORDS_PER_PAGE = 1000

const SIDE_TEXTS = { clip: 'sideClip', main: 'sideSource', snapshot: 'sideOriginal' } as const satisfies Record<
  string,
  TextKey
>

interface Props {
  space: Space
  clip: Clip
  sheet: Sheet
  onClose(): void
}

export function ReviewClip({ space, clip, sheet, onClose }: Props) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [onlyConflicts, setOnlyConflicts] = useState(false)
  const [count, setCount] = useState(PAGE_STEP)
  const [isConfirmingMerge, setIsConfirmingMerge] = useState(false)
  const summary = useQuery(summaryQuery(clip.id))
  const differencesResult = useQuery({
    ...differencesQuery(clip.id, onlyConflicts, count),
    placeholderData: keepPreviousData,
  })
  const path = { dataClipId: clip.id }
  const onSettled = () => client.invalidateQueries({ queryKey: buildDifferencesKey(clip.id) })
  const resolveAll = useMutation({
    mutationFn: (side: keyof typeof SIDE_TEXTS) => decideAll(clip.id, side),
    onSettled,
  })
  const refresh = useMutation({
    mutationFn: () => unwrap(api.PATCH('/api/v1/data-clips/{dataClipId}/refresh-resolutions', { params: { path } })),
    onSettled,
  })
  const merge = useMutation({
    async mutationFn() {
      const { data } = await unwrap(api.POST('/api/v1/data-clips/{dataClipId}/merge', { params: { path } }))
      return client.fetchQuery(mergedCountQuery(data))
    },
    onSuccess(changedCount) {
      toast(t('mergedCount', { count: changedCount }))
      onClose()
    },
    onSettled() {
      setIsConfirmingMerge(false)
      void client.invalidateQueries({ queryKey: ['clips', space.id] })
      void client.invalidateQueries({ queryKey: ['workbooks', space.id] })
      return onSettled()
    },
  })
  const error = merge.error ?? resolveAll.error ?? refresh.error
  const { total = 0, conflicts = 0 } = summary.data ?? {}
  const matching = onlyConflicts ? conflicts : total
  return (
    <Dialog title={t('reviewClip')} place="end" wide onClose={onClose}>
      {error && <ErrorNotice error={error} />}
      {summary.error && <ErrorNotice error={summary.error} />}
      <div className="toolbar-row">
        <span role="status" className="toolbar-row grow">
          <span>{t('differing', { count: total })}</span>
          {conflicts > 0 && <Badge tone="fair">{t('clipConflicts', { count: conflicts })}</Badge>}
        </span>
        <Button busy={refresh.isPending} onClick={() => refresh.mutate()}>
          {t('refresh')}
        </Button>
        <Button kind="primary" disabled={!summary.data || conflicts > 0} onClick={() => setIsConfirmingMerge(true)}>
          {t('merge')}
        </Button>
      </div>
      {conflicts > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <div className="toolbar-row" role="group" aria-label={t('resolveAll')}>
          <span>{t('resolveAll')}</span>
          {(['clip', 'main', 'snapshot'] as const).map((side) => (
            <Button
              key={side}
              busy={resolveAll.isPending && resolveAll.variables === side}
              onClick={() => resolveAll.mutate(side)}
            >
              {t(SIDE_TEXTS[side])}
            </Button>
          ))}
        </div>
      )}
      {(conflicts > 0 || onlyConflicts) && (
        <CheckField
          label={t('onlyConflicts')}
          checked={onlyConflicts}
          onChange={(event) => setOnlyConflicts(event.target.checked)}
        />
      )}
      <QueryView query={differencesResult}>
        {(differences) =>
          differences.length === 0 ? (
            <Empty title={onlyConflicts ? t('nothingFound') : t('clipSame')} />
          ) : (
            <ol className="differences">
              {differences.map((difference) => (
                <DifferenceRow key={difference.id} clip={clip} sheet={sheet} difference={difference} />
              ))}
            </ol>
          )
        }
      </QueryView>
      {differencesResult.data?.length === count && matching > count && count < MAX_RECORDS_PER_PAGE && (
        <Button onClick={() => setCount(Math.min(MAX_RECORDS_PER_PAGE, count + PAGE_STEP))}>{t('showMore')}</Button>
      )}
      {isConfirmingMerge && (
        <Confirm
          title={t('merge')}
          text={t('mergeText')}
          action={t('merge')}
          busy={merge.isPending}
          onConfirm={() => merge.mutate()}
          onClose={() => setIsConfirmingMerge(false)}
        />
      )}
    </Dialog>
  )
}
