import { type FormEvent, useState } from 'react'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { Button, CheckField, SelectField, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { type Choice, getOptions, getTransformTargets, type Target, type Transform } from './plan.ts'

const SEPARATORS: Record<string, TextKey> = {
  ' ': 'space_',
  ', ': 'comma',
  '-': 'hyphen',
  '/': 'slash',
  ';': 'semicolon',
}
const FORMATS: Record<string, TextKey> = {
  uppercase: 'caseUpper',
  lowercase: 'caseLower',
  titlecase: 'caseTitle',
  trim: 'caseTrim',
  'collapse-spaces': 'caseSpaces',
}
const MAX_PARTS = 4

interface Form {
  columns: string[]
  fields: string[]
  separator: string
  value: string
  format: string
}

interface Props {
  kind: Transform['type']
  title: string
  choices: readonly Choice[]
  targets: readonly Target[]
  onAdd(transform: Transform): void
  onClose(): void
}

export function TransformDialog({ kind, title, choices, targets, onAdd, onClose }: Props) {
  const { t } = useTranslation()
  const [form, setForm] = useState<Form>({ columns: [], fields: [], separator: ' ', value: '', format: 'uppercase' })
  const change = (next: Partial<Form>) => setForm((all) => ({ ...all, ...next }))
  const transform = buildTransform(kind, form, targets)
  const released = transform && kind !== 'transform' ? findColumns(getTransformTargets(transform), choices) : []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (transform) onAdd(transform)
  }
  const formatted = kind === 'transform' ? new Set(choices.flatMap(({ target }) => target ?? [])) : undefined
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {kind === 'concatenate' && <ColumnList form={form} choices={choices} onChange={change} />}
        {kind === 'split' && (
          <SelectField
            label={t('yourColumn')}
            required
            value={form.columns[0] ?? ''}
            options={[
              { value: '', label: t('chooseColumn') },
              ...choices.map(({ source }) => ({ value: source.key, label: source.label || source.key })),
            ]}
            onChange={(event) => change({ columns: event.target.value ? [event.target.value] : [] })}
          />
        )}
        {(kind === 'concatenate' || kind === 'split') && (
          <SelectField
            label={t('separator')}
            value={form.separator}
            options={Object.entries(SEPARATORS).map(([value, label]) => ({ value, label: t(label) }))}
            onChange={(event) => change({ separator: event.target.value })}
          />
        )}
        <FieldChoices
          form={form}
          targets={targets.filter(({ key }) => formatted?.has(key) ?? true)}
          count={kind === 'split' ? Math.min(MAX_PARTS, form.fields.length + 1) : 1}
          onChange={change}
        />
        {kind === 'constant' && <FixedValue form={form} targets={targets} onChange={change} />}
        {kind === 'transform' && (
          <SelectField
            label={t('format')}
            value={form.format}
            options={Object.entries(FORMATS).map(([value, label]) => ({ value, label: t(label) }))}
            onChange={(event) => change({ format: event.target.value })}
          />
        )}
        {released.map((column) => (
          <p key={column} className="notice warn">
            {t('columnLosesField', { column })}
          </p>
        ))}
        <div className="actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" disabled={!transform}>
            {t('apply')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const findColumns = (fields: readonly string[], choices: readonly Choice[]): string[] =>
  choices.flatMap(({ source, target }) =>
    target !== undefined && fields.includes(target) ? [source.label || source.key] : [],
  )

interface PartProps {
  form: Form
  onChange(next: Partial<Form>): void
}

function ColumnList({ form, choices, onChange }: PartProps & { choices: readonly Choice[] }) {
  const { t } = useTranslation()
  return (
    <fieldset className="column-list">
      <legend>{t('columnsInOrder')}</legend>
      {choices.map(({ source: { key, label } }) => {
        const position = form.columns.indexOf(key)
        return (
          <CheckField
            key={key}
            label={position < 0 ? label || key : `${position + 1}. ${label || key}`}
            checked={position >= 0}
            onChange={() =>
              onChange({
                columns: position < 0 ? [...form.columns, key] : form.columns.filter((column) => column !== key),
              })
            }
          />
        )
      })}
    </fieldset>
  )
}

function FieldChoices(props: PartProps & { targets: readonly Target[]; count: number }) {
  const { form, targets, count, onChange } = props
  const { t } = useTranslation()
  return Array.from({ length: count }, (_, index) => (
    <SelectField
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a split have no other name
      key={index}
      label={count > 1 || index > 0 ? t('partInto', { part: index + 1 }) : t('ourField')}
      value={form.fields[index] ?? ''}
      options={[
        { value: '', label: t('choose') },
        ...targets
          .filter(({ key }) => key === form.fields[index] || !form.fields.includes(key))
          .map(({ key, label }) => ({ value: key, label: label || key })),
      ]}
      onChange={(event) => {
        const next = [...form.fields]
        if (event.target.value) next[index] = event.target.value
        else next.splice(index, 1)
        onChange({ fields: next, value: '' })
      }}
    />
  ))
}

function FixedValue({ form, targets, onChange }: PartProps & { targets: readonly Target[] }) {
  const { t } = useTranslation()
  const field = targets.find(({ key }) => key === form.fields[0])
  const options = getOptions(field)
  const setValue = (event: { target: { value: string } }) => onChange({ value: event.target.value })
  if (options.length === 0)
    return (
      <TextField
        label={t('value')}
        type={field?.type === 'date' ? 'date' : field?.type === 'number' ? 'number' : 'text'}
        step="any"
        required
        value={form.value}
        onChange={setValue}
      />
    )
  return (
    <SelectField
      label={t('value')}
      required
      value={form.value}
      options={[
        { value: '', label: t('choose') },
        ...options.map(({ value, label }) => ({
          value: String(value),
          label: typeof value === 'boolean' ? t(value ? 'yes' : 'no') : label,
        })),
      ]}
      onChange={setValue}
    />
  )
}

function buildTransform(kind: Transform['type'], form: Form, targets: readonly Target[]): Transform | undefined {
  const { columns, fields, separator, value, format } = form
  const [field] = fields
  if (field === undefined) return undefined
  switch (kind) {
    case 'concatenate':
      return columns.length < 2
        ? undefined
        : { type: kind, config: { sourceFields: columns, separator, destinationField: field } }
    case 'split':
      return columns.length === 0 || fields.length < 2
        ? undefined
        : {
            type: kind,
            config: { sourceField: columns[0], separator: separator.trim() || ' ', destinationFields: fields },
          }
    case 'constant':
      return value === ''
        ? undefined
        : { type: kind, config: { destinationField: field, value: parseValue(value, field, targets) } }
    default:
      return {
        type: kind,
        config: { sourceField: `destination!${field}`, destinationField: field, transform: format },
      }
  }
}

function parseValue(value: string, key: string, targets: readonly Target[]): string | number | boolean {
  const field = targets.find((target) => target.key === key)
  const option = getOptions(field).find((one) => String(one.value) === value)
  return option ? option.value : field?.type === 'number' ? Number(value) : value
}
