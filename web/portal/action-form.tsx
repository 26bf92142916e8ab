import { type FormEvent, useState } from 'react'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Button, CheckField, SelectField, TextArea, TextField } from '../shared/ui/controls.tsx'
import type { Action } from './queries.ts'

export type InputFieldShape = NonNullable<NonNullable<Action['inputForm']>['fields']>[number]

export function InputForm(props: {
  fields: readonly InputFieldShape[]
  busy: boolean
  onSubmit(input: Record<string, unknown> | undefined): void
  onCancel(): void
}) {
  const { t } = useTranslation()
  const [input, setInput] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(
      props.fields.filter((option) => option.defaultValue != null).map((option) => [option.key, option.defaultValue]),
    ),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onSubmit(props.fields.length > 0 ? input : undefined)
  }
  return (
    <form onSubmit={submit}>
      {props.fields.map((field) => (
        <Input
          key={field.key}
          field={field}
          value={input[field.key]}
          onChange={(value) => setInput((previous) => ({ ...previous, [field.key]: value }))}
        />
      ))}
      <div className="actions">
        <Button onClick={props.onCancel}>{t('cancel')}</Button>
        <Button type="submit" kind="primary" busy={props.busy}>
          {t('continue')}
        </Button>
      </div>
    </form>
  )
}

function Input({ field, value, onChange }: { field: InputFieldShape; value: unknown; onChange(value: unknown): void }) {
  const { t } = useTranslation()
  const required = (field.constraints ?? []).some(({ type }) => type === 'required')
  const label = required ? `${field.label} *` : field.label
  const text = value == null ? '' : String(value)
  const options = (field.config?.options ?? []).map((option) => ({
    value: String(option.value ?? ''),
    label: String((option as { label?: unknown }).label ?? option.value ?? ''),
  }))
  const toOptionValue = (chosen: string) =>
    field.config?.options.find((option) => String(option.value) === chosen)?.value
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
          onChange={(event) => onChange(toOptionValue(event.target.value))}
        />
      )
    case 'enum-list': {
      const chosen = Array.isArray(value) ? value.map(String) : []
      return (
        <fieldset>
          <legend>{label}</legend>
          {options.map((option) => (
            <CheckField
              key={option.value}
              label={option.label}
              checked={chosen.includes(option.value)}
              onChange={(event) => {
                const next = event.target.checked
                  ? [...chosen, option.value]
                  : chosen.filter((selected) => selected !== option.value)
                onChange(next.map(toOptionValue))
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
