/** In what a clip and its source differ: decided on one by one or all at once, and taken over. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { type TextKey, useTexts } from '../../shared/texts/texts.tsx'
import { Button, CheckField } from '../../shared/ui/controls.tsx'
import { Confirm, Dialog } from '../../shared/ui/dialog.tsx'
import { Empty, Failure, Shown } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Clip, Sheet, Space } from '../data.ts'
import { decideAll, differencesKey, differencesQuery, mergedCountQuery, summaryQuery } from './data.ts'
import { DifferenceRow } from './difference.tsx'

/** Records shown at first, and how many more each time. */
const STEP = 50
/** Records one answer holds. */
const MOST = 1000

const SIDES = { clip: 'sideClip', main: 'sideSource', snapshot: 'asCopied' } as const satisfies Record<string, TextKey>

interface Given {
  space: Space
  clip: Clip
  sheet: Sheet
  onClose(): void
}

export function ReviewClip({ space, clip, sheet, onClose }: Given) {
  const { t, number } = useTexts()
  const client = useQueryClient()
  const [onlyConflicts, setOnlyConflicts] = useState(false)
  const [count, setCount] = useState(STEP)
  const [merging, setMerging] = useState(false)
  const summary = useQuery(summaryQuery(clip.id))
  const found = useQuery({ ...differencesQuery(clip.id, onlyConflicts, count), placeholderData: keepPreviousData })
  const path = { dataClipId: clip.id }
  const onSettled = () => client.invalidateQueries({ queryKey: differencesKey(clip.id) })
  const all = useMutation({
    mutationFn: (side: keyof typeof SIDES) => decideAll(clip.id, side),
    onSettled,
  })
  const refresh = useMutation({
    mutationFn: () => ask(api.PATCH('/api/v1/data-clips/{dataClipId}/refresh-resolutions', { params: { path } })),
    onSettled,
  })
  const merge = useMutation({
    async mutationFn() {
      const { data } = await ask(api.POST('/api/v1/data-clips/{dataClipId}/merge', { params: { path } }))
      return client.fetchQuery(mergedCountQuery(data))
    },
    onSuccess(changed) {
      toast(t('mergedCount', { count: number(changed) }))
      onClose()
    },
    onSettled() {
      setMerging(false)
      void client.invalidateQueries({ queryKey: ['clips', space.id] })
      void client.invalidateQueries({ queryKey: ['workbooks', space.id] })
      return onSettled()
    },
  })
  const error = merge.error ?? all.error ?? refresh.error
  const { total = 0, conflicts = 0 } = summary.data ?? {}
  const matching = onlyConflicts ? conflicts : total
  return (
    <Dialog title={t('reviewClip')} drawer wide onClose={onClose}>
      {error && <Failure error={error} />}
      {summary.error && <Failure error={summary.error} />}
      <div className="toolbar-row">
        <span role="status" className="toolbar-row grow">
          <span>{t('differing', { count: number(total) })}</span>
          {conflicts > 0 && <span className="badge fair">{t('clipConflicts', { count: number(conflicts) })}</span>}
        </span>
        <Button busy={refresh.isPending} onClick={() => refresh.mutate()}>
          {t('lookAgain')}
        </Button>
        <Button kind="primary" disabled={!summary.data || conflicts > 0} onClick={() => setMerging(true)}>
          {t('merge')}
        </Button>
      </div>
      {conflicts > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <div className="toolbar-row" role="group" aria-label={t('decideAll')}>
          <span>{t('decideAll')}</span>
          {(['clip', 'main', 'snapshot'] as const).map((side) => (
            <Button key={side} busy={all.isPending && all.variables === side} onClick={() => all.mutate(side)}>
              {t(SIDES[side])}
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
      <Shown of={found}>
        {(differences) =>
          differences.length === 0 ? (
            <Empty title={onlyConflicts ? t('nothingFound') : t('clipSame')} />
          ) : (
            <ol className="differences">
              {differences.map((each) => (
                <DifferenceRow key={each.id} clip={clip} sheet={sheet} difference={each} />
              ))}
            </ol>
          )
        }
      </Shown>
      {found.data?.length === count && matching > count && count < MOST && (
        <Button onClick={() => setCount(Math.min(MOST, count + STEP))}>{t('showMore')}</Button>
      )}
      {merging && (
        <Confirm
          title={t('merge')}
          text={t('mergeText')}
          action={t('merge')}
          busy={merge.isPending}
          onConfirm={() => merge.mutate()}
          onClose={() => setMerging(false)}
        />
      )}
    </Dialog>
  )
}
