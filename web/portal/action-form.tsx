/** The form of an action, filled in before its job is created. */
import { type FormEvent, useState } from 'react'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button, CheckField, SelectField, TextArea, TextField } from '../shared/ui/controls.tsx'
import type { Action } from './data.ts'

export type InputFieldShape = NonNullable<NonNullable<Action['inputForm']>['fields']>[number]

export function InputForm(given: {
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
