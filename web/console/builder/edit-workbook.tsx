import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Code } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Shape } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { PageHeader } from '../parts/page.tsx'
import { CodeDrawer } from './code-drawer.tsx'
import { toDraft, updateWorkbook } from './create.ts'
import { MissingList } from './missing-list.tsx'
import { findMissing } from './problems.ts'
import { ReviewChanges } from './review-changes.tsx'
import { WorkbookEditor } from './workbook-editor.tsx'

type Dialog = 'code' | 'review'

export function EditWorkbook({ workbook, spaceId }: { workbook: Shape<'Workbook'>; spaceId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [before, setBefore] = useState(() => toDraft(workbook))
  const [draft, setDraft] = useState(before)
  const [dialog, setDialog] = useState<Dialog>()
  const [missing, setMissing] = useState<string[]>([])
  const save = useMutation({
    mutationFn: () => updateWorkbook(workbook.id, draft),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['builder-workbook', spaceId] })
      setBefore(draft)
      setDialog(undefined)
      toast(t('saved'))
    },
  })
  const review = () => {
    const found = findMissing(draft, t)
    setMissing(found)
    if (found.length === 0) setDialog('review')
  }
  return (
    <>
      <PageHeader title={t('editFields')} text={t('editFieldsText')}>
        <Link className="button plain" href={`/s/${spaceId}`}>
          {t('openTheSpace')}
        </Link>
        <Button onClick={() => setDialog('code')}>
          <Code aria-hidden="true" />
          {t('code')}
        </Button>
        <Button kind="primary" onClick={review}>
          {t('reviewChanges')}
        </Button>
      </PageHeader>
      <MissingList missing={missing} />
      <WorkbookEditor draft={draft} onChange={setDraft} />
      {dialog === 'code' && <CodeDrawer draft={draft} onClose={() => setDialog(undefined)} />}
      {dialog === 'review' && (
        <ReviewChanges
          {...{ before, after: draft }}
          busy={save.isPending}
          error={save.error}
          onSave={() => save.mutate()}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}
