/** Forms of a few fields, in a dialog or on a page. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Combobox } from '../../shared/ui/combobox.tsx'
import { Button, type Option, SelectField, SwitchField, TextArea, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'

export interface FormField {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'area' | 'switch'
  hint?: string
  optional?: boolean
  initial?: string
  options?: readonly Option[]
}

interface FormProps<Answer> {
  text?: ReactNode
  fields: readonly FormField[]
  action: string
  submit(values: Record<string, string>): Promise<Answer>
  onDone(result: Answer): void
  onCancel?: (() => void) | undefined
}

/** From here on a list of options is searched. */
const MIN_SEARCHED_OPTIONS = 8

export function Form<Answer>({ text, fields, action, submit, onDone, onCancel }: FormProps<Answer>) {
  const { t } = useTranslation()
  const [values, setValues] = useState(() =>
    Object.fromEntries(fields.map(({ name, initial, options }) => [name, initial ?? options?.[0]?.value ?? ''])),
  )
  const run = useMutation({ mutationFn: () => submit(values), onSuccess: onDone })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate()
  }
  return (
    <form onSubmit={handleSubmit}>
      {text && <p className="muted form-text">{text}</p>}
      {run.error && <ErrorNotice error={run.error} />}
      {fields.map((field) => (
        <Input
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={(value) => setValues((previous) => ({ ...previous, [field.name]: value }))}
        />
      ))}
      <div className="actions">
        {onCancel && <Button onClick={onCancel}>{t('cancel')}</Button>}
        <Button type="submit" kind="primary" busy={run.isPending}>
          {action}
        </Button>
      </div>
    </form>
  )
}

export function FormDialog<Answer>({
  title,
  onClose,
  ...form
}: FormProps<Answer> & { title: string; onClose(): void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} onCancel={onClose} />
    </Dialog>
  )
}

function Input({ field, value, onChange }: { field: FormField; value: string; onChange(value: string): void }) {
  const { label, hint, type = 'text', options } = field
  const commonProps = { label, value, required: !field.optional }
  const change = (event: { target: { value: string } }) => onChange(event.target.value)
  if (options && options.length >= MIN_SEARCHED_OPTIONS)
    return <Combobox label={label} options={options} value={value} onChange={onChange} />
  if (options) return <SelectField {...commonProps} options={options} onChange={change} />
  if (type === 'switch')
    return (
      <SwitchField
        label={label}
        checked={value === 'true'}
        onChange={({ target }) => onChange(String(target.checked))}
      />
    )
  if (type === 'area') return <TextArea {...commonProps} hint={hint} rows={4} onChange={change} />
  return <TextField {...commonProps} hint={hint} type={type} autoComplete="off" onChange={change} />
}
