import { useTranslation } from '../../shared/texts/texts.tsx'
import { CheckField, SelectField, TextArea, TextField } from '../../shared/ui/controls.tsx'
import { ConditionEditor } from './condition-editor.tsx'
import { getLabel } from './draft.ts'
import type { RuleInput } from './rules.ts'
import type { Field } from './shape.ts'

interface Props {
  input: RuleInput
  value: unknown
  isDate: boolean
  fields: readonly Field[]
  onChange(value: unknown): void
}

export function RuleInputField({ input, value, isDate, fields, onChange }: Props) {
  const { t } = useTranslation()
  const label = t(input.label)
  const fieldOptions = fields.map((field) => ({ value: field.key, label: getLabel(field) }))
  switch (input.kind) {
    case 'flag':
      return (
        <CheckField
          label={label}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked || undefined)}
        />
      )
    case 'field':
      return (
        <SelectField
          label={label}
          value={String(value ?? '')}
          options={[{ value: '', label: t('choose') }, ...fieldOptions]}
          onChange={(event) => onChange(event.target.value || undefined)}
        />
      )
    case 'choice':
      return (
        <SelectField
          label={label}
          value={String(value ?? '')}
          options={input.options.map((option) => ({ value: option.value, label: t(option.label) }))}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'fields':
      return <FieldChecks label={label} fields={fields} value={(value ?? []) as string[]} onChange={onChange} />
    case 'condition':
      return <ConditionEditor label={label} query={String(value ?? '')} fields={fields} onChange={onChange} />
    case 'lines':
      return (
        <TextArea
          label={label}
          hint={t('onePerLine')}
          rows={4}
          value={((value ?? []) as unknown[]).join('\n')}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value.split('\n'))}
        />
      )
    default:
      return <ValueInput kind={input.kind} label={label} isDate={isDate} value={value} onChange={onChange} />
  }
}

function ValueInput(props: Omit<Props, 'input' | 'fields'> & { kind: 'count' | 'bound' | 'text'; label: string }) {
  const { kind, label, isDate, value, onChange } = props
  const isNumber = kind === 'count' || (kind === 'bound' && !isDate)
  const parse = (text: string) => (text === '' ? undefined : isNumber ? Number(text) : text)
  return (
    <TextField
      label={label}
      type={isNumber ? 'number' : kind === 'bound' ? 'date' : 'text'}
      step={isNumber ? 'any' : undefined}
      dir={kind === 'text' ? 'ltr' : undefined}
      value={String(value ?? '')}
      onChange={(event) => onChange(parse(event.target.value))}
    />
  )
}

function FieldChecks(props: {
  label: string
  fields: readonly Field[]
  value: string[]
  onChange(value: unknown): void
}) {
  const { label, fields, value, onChange } = props
  return (
    <fieldset className="field-checks">
      <legend>{label}</legend>
      {fields.map((field) => (
        <CheckField
          key={field.key}
          label={getLabel(field)}
          checked={value.includes(field.key)}
          onChange={(event) =>
            onChange(event.target.checked ? [...value, field.key] : value.filter((key) => key !== field.key))
          }
        />
      ))}
    </fieldset>
  )
}
