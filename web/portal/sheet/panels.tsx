import type { GridSelection } from '@glideapps/glide-data-grid'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Confirm } from '../../shared/ui/dialog.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { toast } from '../../shared/ui/toast.tsx'
import { NewClip } from '../clips/new-clip.tsx'
import { JobDialog } from '../jobs.tsx'
import type { Sheet, Space, Workbook } from '../queries.ts'
import { setSheetView, useSheetView } from '../sheet-view-state.ts'
import type { buildSubject, Deletion } from './changes.ts'
import { Comments } from './comments.tsx'
import { FindReplace } from './find-replace.tsx'
import { History } from './history.tsx'
import type { Query } from './pages.ts'
import { Review } from './review.tsx'
import { Snapshots } from './snapshots.tsx'
import { ViewDrawer } from './view.tsx'

export type OpenPanel =
  | { kind: 'review' | 'snapshots' | 'delete' | 'view' | 'clip' }
  | { kind: 'replace'; fieldKey?: string | undefined }
  | { kind: 'history' | 'comments'; recordId: string }
  | { kind: 'job'; jobId: string; title: string }
  | undefined

interface Props {
  space: Space
  workbook: Workbook
  sheet: Sheet
  query: Query
  readonly: boolean
  panel: OpenPanel
  selection: GridSelection
  rows: number
  remove(rows: readonly number[] | 'all'): Promise<Deletion>
  subject(fieldKey?: string): ReturnType<typeof buildSubject>
  onShow(fieldKey: string): void
  onQuery(query: Query): void
  onPanel(panel: OpenPanel): void
  onRefresh(): void
}

export function Panels(props: Props) {
  const { space, workbook, sheet, query, panel, selection, onPanel } = props
  const { snapshotId } = useSheetView(sheet.id)
  useEffect(() => {
    if (snapshotId) onPanel({ kind: 'snapshots' })
  }, [snapshotId, onPanel])
  const close = () => onPanel(undefined)
  const selected = selection.rows.length
  switch (panel?.kind) {
    case 'review':
      return (
        <Review
          sheet={sheet}
          readonly={props.readonly}
          onShow={(fieldKey) => {
            close()
            props.onShow(fieldKey)
          }}
          onChanged={props.onRefresh}
          onClose={close}
        />
      )
    case 'replace':
      return (
        <FindReplace sheet={sheet} query={query} fieldKey={panel.fieldKey} onClose={close} onDone={props.onRefresh} />
      )
    case 'snapshots':
      return (
        <Snapshots
          sheet={sheet}
          compared={snapshotId}
          onClose={() => {
            close()
            setSheetView(sheet.id, { snapshotId: undefined }, true)
          }}
          onRestored={props.onRefresh}
        />
      )
    case 'view':
      return (
        <ViewDrawer
          {...{ space, workbook, sheet, query, selected }}
          subject={props.subject}
          onQuery={props.onQuery}
          onClose={close}
        />
      )
    case 'history':
      return <History sheet={sheet} recordId={panel.recordId} onClose={close} />
    case 'comments':
      return <Comments sheet={sheet} recordId={panel.recordId} onClose={close} />
    case 'clip':
      return <NewClip {...{ space, sheet, selected }} subject={() => props.subject()} onClose={close} />
    case 'delete':
      return <DeleteRows {...props} />
    case 'job':
      return (
        <JobDialog
          space={space}
          jobId={panel.jobId}
          title={panel.title}
          onClose={() => {
            close()
            props.onRefresh()
          }}
        />
      )
    default:
      return null
  }
}

function DeleteRows({ selection, rows, remove, onPanel, onRefresh }: Props) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const [selected] = useState(selection.rows)
  const removal = useMutation({
    mutationFn: () => remove(selected.length === rows ? 'all' : selected.toArray()),
    onSuccess({ jobId, commitId }) {
      onPanel(jobId ? { kind: 'job', jobId, title: t('delete') } : undefined)
      onRefresh()
      if (commitId)
        toast(t('deletedSince', { count: selected.length }), 'info', {
          label: t('undo'),
          run: () => void undo(commitId),
        })
    },
    onError: showError,
  })
  const undo = (commitId: string) =>
    unwrap(api.POST('/api/v1/commits/{commitId}/undo', { params: { path: { commitId } } }))
      .catch(showError)
      .then(onRefresh)
  return (
    <Confirm
      title={t('delete')}
      text={t('deleteRecords', { count: selected.length })}
      action={t('delete')}
      danger
      busy={removal.isPending}
      onConfirm={() => removal.mutate()}
      onClose={() => onPanel(undefined)}
    />
  )
}
