/** What a configuration offers to do: buttons that ask their form and create a job, whose outcome is shown. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, ask } from '../shared/api/client.ts'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button, CheckField, SelectField, TextArea, TextField } from '../shared/ui/controls.tsx'
import { Dialog } from '../shared/ui/dialog.tsx'
import { Failure } from '../shared/ui/states.tsx'
import { toast } from '../shared/ui/toast.tsx'
import type { Action, Job, Space } from './data.ts'
import { JobDialog } from './jobs.tsx'

interface Given {
  space: Space
  actions: readonly Action[]
  type: Job['type']
  /** What it is called on. */
  source: string
  /** Which records, where it is called on some. */
  subject?: Record<string, unknown>
  selected?: number
}

const operationOf = (action: Action): string => action.operation ?? action.slug ?? ''

/** A page that holds the importer in a frame is told, see web/embed. */
const submitted = ({ id, operation }: Job) =>
  dispatchEvent(new CustomEvent('wharf:submitted', { detail: { jobId: id, operation } }))

export function ActionButtons({ actions, ...given }: Given) {
  if (actions.length === 0) return null
  return (
    <div className="buttons">
      {actions.map((action) => (
        <ActionButton key={`${operationOf(action)} ${action.label}`} action={action} {...given} />
      ))}
    </div>
  )
}

function ActionButton({ action, ...given }: Omit<Given, 'actions'> & { action: Action }) {
  const { t } = useTexts()
  const [asking, setAsking] = useState(false)
  const [jobId, setJobId] = useState<string>()
  const fields = action.inputForm?.fields ?? []
  const asks = fields.length > 0 || action.confirm === true
  const needsSelection =
    action.requireSelection === true || (action.constraints ?? []).some(({ type }) => type === 'hasSelection')
  const call = useMutation({
    mutationFn: (input: Record<string, unknown> | undefined) =>
      ask(
        api.POST('/api/v1/jobs', {
          body: {
            type: given.type,
            operation: operationOf(action),
            source: given.source,
            trigger: 'immediate',
            mode: action.mode ?? 'foreground',
            managed: true,
            input,
            subject: given.subject as never,
          },
        }),
      ),
    onSuccess({ data }) {
      setAsking(false)
      if (data.mode === 'background' || data.mode === 'hidden') toast(t('started', { name: action.label }))
      else setJobId(data.id)
    },
    onError: (error) => !asks && toast(error.message, 'error'),
  })
  return (
    <>
      <Button
        kind={action.primary ? 'primary' : 'plain'}
        title={action.description ?? undefined}
        busy={call.isPending && !asking}
        disabled={needsSelection && !given.selected}
        onClick={() => (asks ? setAsking(true) : call.mutate(undefined))}
      >
        {action.label}
      </Button>
      {asking && (
        <Dialog title={action.label} onClose={() => setAsking(false)}>
          {action.description && <p className="muted">{action.description}</p>}
          {call.error && <Failure error={call.error} />}
          <InputForm fields={fields} busy={call.isPending} onCancel={() => setAsking(false)} onSubmit={call.mutate} />
        </Dialog>
      )}
      {jobId && (
        <JobDialog
          space={given.space}
          jobId={jobId}
          title={action.label}
          onClose={() => setJobId(undefined)}
          onCompleted={submitted}
        />
      )}
    </>
  )
}

type InputFieldShape = NonNullable<NonNullable<Action['inputForm']>['fields']>[number]

function InputForm(given: {
  fields: readonly InputFieldShape[]
  busy: boolean
  onSubmit(input: Record<string, unknown> | undefined): void
  onCancel(): void
}) {
  const { t } = useTexts()
  const [input, setInput] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(
      given.fields.filter((each) => each.defaultValue != null).map((each) => [each.key, each.defaultValue]),
    ),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    given.onSubmit(given.fields.length > 0 ? input : undefined)
  }
  return (
    <form onSubmit={submit}>
      {given.fields.map((field) => (
        <Input
          key={field.key}
          field={field}
          value={input[field.key]}
          onChange={(value) => setInput((before) => ({ ...before, [field.key]: value }))}
        />
      ))}
      <div className="actions">
        <Button onClick={given.onCancel}>{t('cancel')}</Button>
        <Button type="submit" kind="primary" busy={given.busy}>
          {t('continue')}
        </Button>
      </div>
    </form>
  )
}

function Input({ field, value, onChange }: { field: InputFieldShape; value: unknown; onChange(value: unknown): void }) {
  const { t } = useTexts()
  const required = (field.constraints ?? []).some(({ type }) => type === 'required')
  const label = required ? `${field.label} *` : field.label
  const text = value == null ? '' : String(value)
  const options = (field.config?.options ?? []).map((each) => ({
    value: String(each.value ?? ''),
    label: String((each as { label?: unknown }).label ?? each.value ?? ''),
  }))
  const typed = (chosen: string) => field.config?.options.find((each) => String(each.value) === chosen)?.value
  switch (field.type) {
    case 'boolean':
      return <CheckField label={label} checked={value === true} onChange={(event) => onChange(event.target.checked)} />
    case 'textarea':
      return (
        <TextArea
          label={label}
          rows={4}
          required={required}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'number':
      return (
        <TextField
          label={label}
          type="number"
          step="any"
          required={required}
          value={text}
          onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
        />
      )
    case 'date':
      return (
        <TextField
          label={label}
          type="date"
          required={required}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'enum':
      return (
        <SelectField
          label={label}
          required={required}
          options={[{ value: '', label: t('choose') }, ...options]}
          value={text}
          onChange={(event) => onChange(typed(event.target.value))}
        />
      )
    case 'enum-list': {
      const chosen = Array.isArray(value) ? value.map(String) : []
      return (
        <fieldset>
          <legend>{label}</legend>
          {options.map((each) => (
            <CheckField
              key={each.value}
              label={each.label}
              checked={chosen.includes(each.value)}
              onChange={(event) => {
                const next = event.target.checked ? [...chosen, each.value] : chosen.filter((one) => one !== each.value)
                onChange(next.map(typed))
              }}
            />
          ))}
        </fieldset>
      )
    }
    default:
      return (
        <TextField label={label} required={required} value={text} onChange={(event) => onChange(event.target.value)} />
      )
  }
}
