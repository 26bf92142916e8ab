/** Action buttons: show the input form, create the job and display its outcome. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, unwrap } from '../shared/api/client.ts'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { Dialog } from '../shared/ui/dialog.tsx'
import { useErrorToast } from '../shared/ui/errors.ts'
import { ErrorNotice } from '../shared/ui/states.tsx'
import { toast } from '../shared/ui/toast.tsx'
import { InputForm } from './action-form.tsx'
import { reportAction } from './action-reports.ts'
import { type ActionTarget, findAvailableActions, getOperation } from './available-actions.ts'
import { JobDialog } from './jobs.tsx'
import { type Action, actionsQuery, canRunMutations, type Job, type Space, type Workbook } from './queries.ts'

interface Props {
  space: Space
  target: ActionTarget
  subject?(): Promise<Record<string, unknown>>
}

const formatActionKey = (action: Action): string => `${getOperation(action)} ${action.label}`

export function useAvailableActions(space: Space, target: ActionTarget, workbook?: Workbook): Action[] {
  const standAlone = useQuery(actionsQuery(space.id))
  const actions = findAvailableActions(target, { space, workbook, standAlone: standAlone.data ?? [] })
  return canRunMutations(space) ? actions : actions.filter((action) => getOperation(action) !== 'mutate-records')
}

export const isEnabled = (action: Action, selected: number, target: ActionTarget): boolean => {
  const hasConstraint = (constraint: string) => (action.constraints ?? []).some(({ type }) => type === constraint)
  if ((action.requireSelection || hasConstraint('hasSelection')) && !selected) return false
  return !(hasConstraint('hasColumnEnabled') && target.kind === 'field' && target.field.readonly)
}

interface ListProps extends Props {
  workbook?: Workbook
  selected?: number
  /** Shown elsewhere on the page. */
  except?: Action
  /** Without a primary button, because the page has another one. */
  isQuiet?: boolean
}

export function ActionButtons({ workbook, selected = 0, except, isQuiet, ...buttonProps }: ListProps) {
  const { space, target } = buttonProps
  const actions = useAvailableActions(space, target, workbook).filter((action) => action !== except)
  if (actions.length === 0) return null
  return (
    <div className="buttons">
      {actions.map((action) => (
        <ActionButton
          key={formatActionKey(action)}
          action={action}
          enabled={isEnabled(action, selected, target)}
          kind={isQuiet ? 'plain' : undefined}
          {...buttonProps}
        />
      ))}
    </div>
  )
}

interface ButtonProps extends Props {
  action: Action
  enabled: boolean
  kind?: 'plain' | 'primary'
}

function ActionButton({ action, enabled, kind, ...props }: ButtonProps) {
  const [started, setStarted] = useState(false)
  return (
    <>
      <Button
        kind={kind ?? (action.primary ? 'primary' : 'plain')}
        title={action.description ?? undefined}
        aria-busy={started}
        disabled={!enabled}
        onClick={() => setStarted(true)}
      >
        {action.label}
      </Button>
      {started && <ActionRun action={action} {...props} onEnd={() => setStarted(false)} />}
    </>
  )
}

export function ActionRun({ action, space, target, subject, onEnd }: Props & { action: Action; onEnd(): void }) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const [job, setJob] = useState<Job>()
  const fields = action.inputForm?.fields ?? []
  const needsForm = fields.length > 0 || action.confirm === true
  const createJob = useMutation({
    async mutationFn(input: Record<string, unknown> | undefined) {
      const body = {
        type: target.kind === 'field' ? 'sheet' : target.kind,
        operation: getOperation(action),
        source: target.id,
        trigger: 'immediate' as const,
        mode: action.mode ?? ('foreground' as const),
        managed: true,
        input,
        subject: (await subject?.()) as never,
      }
      return unwrap(api.POST('/api/v1/jobs', { body }))
    },
    onMutate: () => reportAction({ phase: 'requested' }),
    onSuccess({ data }) {
      reportAction({ phase: 'started', job: data })
      if (data.mode !== 'background' && data.mode !== 'hidden') return setJob(data)
      toast(t('started', { name: action.label }))
      onEnd()
    },
    onError(error) {
      reportAction({ phase: 'rejected' })
      if (needsForm) return
      showError(error)
      onEnd()
    },
  })
  const started = useRef(false)
  useEffect(() => {
    if (needsForm || started.current) return
    started.current = true
    createJob.mutate(undefined)
  }, [needsForm, createJob])
  if (job) {
    const close = () => {
      reportAction({ phase: 'closed', jobId: job.id, isPrimary: action.primary === true })
      onEnd()
    }
    return <JobDialog space={space} jobId={job.id} title={action.label} onClose={close} />
  }
  if (!needsForm) return null
  return (
    <Dialog title={action.label} onClose={onEnd}>
      {action.description && <p className="muted">{action.description}</p>}
      {createJob.error && <ErrorNotice error={createJob.error} />}
      <InputForm fields={fields} busy={createJob.isPending} onCancel={onEnd} onSubmit={createJob.mutate} />
    </Dialog>
  )
}
