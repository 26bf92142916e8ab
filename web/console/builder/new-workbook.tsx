import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Code } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'
import { PageHeader } from '../parts/page.tsx'
import { CodeDrawer } from './code-drawer.tsx'
import { addWorkbook, createSpace, type Space } from './create.ts'
import { Done } from './done.tsx'
import type { Draft } from './draft.ts'
import { MissingList } from './missing-list.tsx'
import { findMissing } from './problems.ts'
import { deleteSample } from './sample.ts'
import type { SpaceSettings } from './settings.ts'
import { SpaceForm } from './space-form.tsx'
import { Start } from './start.tsx'
import { useStoredDraft } from './stored-draft.ts'
import { WorkbookEditor } from './workbook-editor.tsx'

interface Props {
  environmentId: string
  spaceId?: string
}

export function NewWorkbook({ environmentId, spaceId }: Props) {
  const [draft, setDraft] = useStoredDraft(environmentId)
  const [space, setSpace] = useState<Space>()
  const discard = () => {
    if (draft?.sampleSpaceId) void deleteSample(draft.sampleSpaceId)
    setDraft(undefined)
  }
  const finish = (created: Space) => {
    setDraft(undefined)
    setSpace(created)
  }
  if (space) return <Done environmentId={environmentId} space={space} onAgain={() => setSpace(undefined)} />
  if (!draft) return <ChooseStart environmentId={environmentId} onStart={setDraft} />
  return spaceId ? (
    <AddToSpace {...{ draft, setDraft, discard, spaceId }} />
  ) : (
    <CreateWithSpace {...{ draft, setDraft, discard, environmentId }} onDone={finish} />
  )
}

function ChooseStart(props: { environmentId: string; onStart(draft: Draft): void }) {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('newWorkbook')} text={t('newWorkbookText')} />
      <Start {...props} />
    </>
  )
}

interface DraftProps {
  draft: Draft
  setDraft(draft: Draft | undefined): void
  discard(): void
}

interface EditProps extends DraftProps {
  action: string
  busy?: boolean
  error?: unknown
  onContinue(): void
}

function EditFields({ draft, setDraft, discard, action, busy = false, error, onContinue }: EditProps) {
  const { t } = useTranslation()
  const [showsCode, setShowsCode] = useState(false)
  const [missing, setMissing] = useState<string[]>([])
  const next = () => {
    const found = findMissing(draft, t)
    setMissing(found)
    if (found.length === 0) onContinue()
  }
  return (
    <>
      <PageHeader title={t('fieldsTitle')} text={t('fieldsText')}>
        <Button kind="ghost" onClick={discard}>
          {t('startOver')}
        </Button>
        <Button onClick={() => setShowsCode(true)}>
          <Code aria-hidden="true" />
          {t('code')}
        </Button>
        <Button kind="primary" busy={busy} onClick={next}>
          {action}
        </Button>
      </PageHeader>
      {error ? <ErrorNotice error={error} /> : null}
      <MissingList missing={missing} />
      <WorkbookEditor draft={draft} onChange={setDraft} />
      {showsCode && <CodeDrawer draft={draft} onClose={() => setShowsCode(false)} />}
    </>
  )
}

function AddToSpace({ spaceId, ...props }: DraftProps & { spaceId: string }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const add = useMutation({
    mutationFn: () => addWorkbook(spaceId, props.draft, t('submit')),
    onSuccess() {
      props.setDraft(undefined)
      navigate(`/s/${spaceId}`)
    },
  })
  return (
    <EditFields
      {...props}
      action={t('addToSpace')}
      busy={add.isPending}
      error={add.error}
      onContinue={() => add.mutate()}
    />
  )
}

function CreateWithSpace(props: DraftProps & { environmentId: string; onDone(space: Space): void }) {
  const { draft, setDraft, environmentId, onDone } = props
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isNaming, setIsNaming] = useState(false)
  const [settings, setSettings] = useState<SpaceSettings>({
    name: draft.name,
    guestAuthentication: 'shared_link',
    isDefault: false,
  })
  const create = useMutation({
    mutationFn: () => createSpace(environmentId, draft, settings, t('submit')),
    onSuccess(space) {
      void client.invalidateQueries({ queryKey: ['spaces'] })
      onDone(space)
    },
  })
  const startNaming = () => {
    setSettings({ ...settings, name: settings.name || draft.name })
    setIsNaming(true)
  }
  if (!isNaming) return <EditFields {...props} action={t('continue')} onContinue={startNaming} />
  return (
    <>
      <PageHeader title={t('brandingTitle')} text={t('brandingText')}>
        <Button onClick={() => setIsNaming(false)}>{t('back')}</Button>
        <Button
          kind="primary"
          busy={create.isPending}
          disabled={settings.name.trim() === ''}
          onClick={() => create.mutate()}
        >
          {t('createSpace')}
        </Button>
      </PageHeader>
      {create.error && <ErrorNotice error={create.error} />}
      <SpaceForm draft={draft} settings={settings} onChange={setSettings} onDraftChange={setDraft} />
    </>
  )
}
