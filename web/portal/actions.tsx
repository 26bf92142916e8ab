/** What a configuration offers to do: buttons that ask their form and create a job, whose outcome is shown. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, ask } from '../shared/api/client.ts'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { Dialog } from '../shared/ui/dialog.tsx'
import { Failure } from '../shared/ui/states.tsx'
import { toast } from '../shared/ui/toast.tsx'
import { InputForm } from './action-form.tsx'
import { type Action, actionsQuery, type Job, mayRunMutations, type Space, type Workbook } from './data.ts'
import { JobDialog } from './jobs.tsx'
import { offered, type Place } from './offers.ts'

interface Given {
  space: Space
  /** What it is called on. */
  place: Place
  /** Which records, where it is called on some. */
  subject?(): Promise<Record<string, unknown>>
}

const operationOf = (action: Action): string => action.operation ?? action.slug ?? ''
const keyOf = (action: Action): string => `${operationOf(action)} ${action.label}`

/** A page that holds the importer in a frame is told, see web/embed. */
const submitted = ({ id, operation }: Job) =>
  dispatchEvent(new CustomEvent('wharf:submitted', { detail: { jobId: id, operation } }))

export function useOffered(space: Space, place: Place, workbook?: Workbook): Action[] {
  const standAlone = useQuery(actionsQuery(space.id))
  const all = offered(place, { space, workbook, standAlone: standAlone.data ?? [] })
  return mayRunMutations(space) ? all : all.filter((action) => operationOf(action) !== 'mutate-records')
}

/** Whether it wants records or a column that are not there; all else the server judges. */
export const isOpen = (action: Action, selected: number, place: Place): boolean => {
  const wants = (constraint: string) => (action.constraints ?? []).some(({ type }) => type === constraint)
  if ((action.requireSelection || wants('hasSelection')) && !selected) return false
  return !(wants('hasColumnEnabled') && place.kind === 'field' && place.field.readonly)
}

export function ActionButtons(given: Given & { workbook?: Workbook; selected?: number }) {
  const { workbook, selected = 0, ...rest } = given
  const actions = useOffered(given.space, given.place, workbook)
  if (actions.length === 0) return null
  return (
    <div className="buttons">
      {actions.map((action) => (
        <ActionButton key={keyOf(action)} action={action} open={isOpen(action, selected, given.place)} {...rest} />
      ))}
    </div>
  )
}

function ActionButton({ action, open, ...given }: Given & { action: Action; open: boolean }) {
  const [begun, setBegun] = useState(false)
  return (
    <>
      <Button
        kind={action.primary ? 'primary' : 'plain'}
        title={action.description ?? undefined}
        aria-busy={begun}
        disabled={!open}
        onClick={() => setBegun(true)}
      >
        {action.label}
      </Button>
      {begun && <ActionRun action={action} {...given} onEnd={() => setBegun(false)} />}
    </>
  )
}

/** From the click to the outcome: asks the form where there is one, creates the job, shows how it goes. */
export function ActionRun({ action, space, place, subject, onEnd }: Given & { action: Action; onEnd(): void }) {
  const { t } = useTexts()
  const [job, setJob] = useState<Job>()
  const fields = action.inputForm?.fields ?? []
  const asks = fields.length > 0 || action.confirm === true
  const call = useMutation({
    async mutationFn(input: Record<string, unknown> | undefined) {
      const body = {
        type: place.kind === 'field' ? 'sheet' : place.kind,
        operation: operationOf(action),
        source: place.id,
        trigger: 'immediate' as const,
        mode: action.mode ?? ('foreground' as const),
        managed: true,
        input,
        subject: (await subject?.()) as never,
      }
      return ask(api.POST('/api/v1/jobs', { body }))
    },
    onSuccess({ data }) {
      if (data.mode !== 'background' && data.mode !== 'hidden') return setJob(data)
      toast(t('started', { name: action.label }))
      onEnd()
    },
    onError(error) {
      if (asks) return
      toast(error.message, 'error')
      onEnd()
    },
  })
  const begun = useRef(false)
  useEffect(() => {
    if (asks || begun.current) return
    begun.current = true
    call.mutate(undefined)
  }, [asks, call])
  if (job)
    return <JobDialog space={space} jobId={job.id} title={action.label} onClose={onEnd} onCompleted={submitted} />
  if (!asks) return null
  return (
    <Dialog title={action.label} onClose={onEnd}>
      {action.description && <p className="muted">{action.description}</p>}
      {call.error && <Failure error={call.error} />}
      <InputForm fields={fields} busy={call.isPending} onCancel={onEnd} onSubmit={call.mutate} />
    </Dialog>
  )
}
