import { Plus, X } from 'lucide-react'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField, TextField } from '../../shared/ui/controls.tsx'
import { COMPARISONS, type Comparison, formatCondition, needsValue, parseCondition, type Test } from './condition.ts'
import { getLabel } from './draft.ts'
import type { Field } from './shape.ts'

const LABELS: Record<Comparison, TextKey> = {
  eq: 'testEq',
  ne: 'testNe',
  contains: 'testContains',
  gt: 'testGt',
  gte: 'testGte',
  lt: 'testLt',
  lte: 'testLte',
  empty: 'testEmpty',
  filled: 'testFilled',
}

interface Props {
  label: string
  query: string
  fields: readonly Field[]
  onChange(query: string): void
}

export function ConditionEditor({ label, query, fields, onChange }: Props) {
  const { t } = useTranslation()
  const tests = parseCondition(query)
  if (!tests)
    return <TextField label={label} dir="ltr" value={query} onChange={(event) => onChange(event.target.value)} />
  const rows: readonly Test[] = tests.length > 0 ? tests : [{ field: '', comparison: 'eq', value: '' }]
  const setRow = (at: number, row: Test) => onChange(formatCondition(rows.with(at, row)))
  return (
    <fieldset className="condition">
      <legend>{label}</legend>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity
        <div key={at} className="condition-row">
          <SelectField
            hideLabel
            label={t('field')}
            value={row.field}
            options={[
              { value: '', label: t('choose') },
              ...fields.map((field) => ({ value: field.key, label: getLabel(field) })),
            ]}
            onChange={(event) => setRow(at, { ...row, field: event.target.value })}
          />
          <SelectField
            hideLabel
            label={t('ruleOperator')}
            value={row.comparison}
            options={COMPARISONS.map((value) => ({ value, label: t(LABELS[value]) }))}
            onChange={(event) => setRow(at, { ...row, comparison: event.target.value as Comparison })}
          />
          {needsValue(row.comparison) && (
            <ConditionValue
              field={fields.find(({ key }) => key === row.field)}
              value={row.value}
              onChange={(value) => setRow(at, { ...row, value })}
            />
          )}
          {rows.length > 1 && (
            <Button
              kind="ghost"
              className="icon"
              aria-label={t('removeCondition')}
              onClick={() => onChange(formatCondition(rows.toSpliced(at, 1)))}
            >
              <X aria-hidden="true" />
            </Button>
          )}
        </div>
      ))}
      <Button
        kind="ghost"
        onClick={() => onChange(formatCondition([...rows, { field: rows.at(-1)!.field, comparison: 'eq', value: '' }]))}
      >
        <Plus aria-hidden="true" />
        {t('addCondition')}
      </Button>
    </fieldset>
  )
}

function ConditionValue(props: { field: Field | undefined; value: string; onChange(value: string): void }) {
  const { field, value, onChange } = props
  const { t } = useTranslation()
  const options = field?.config?.options
  if (options)
    return (
      <SelectField
        hideLabel
        label={t('value')}
        value={value}
        options={[
          { value: '', label: t('choose') },
          ...options.map((option) => ({ value: String(option.value), label: String(option.label ?? option.value) })),
        ]}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return <input aria-label={t('value')} value={value} onChange={(event) => onChange(event.target.value)} />
}
