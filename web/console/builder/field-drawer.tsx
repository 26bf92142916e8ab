import { useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { SelectField, TextArea, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import type { FieldProblem } from './check.ts'
import { type DraftField, type DraftSheet, getLabel } from './draft.ts'
import { getKind, hasOptions, isReference, listRuleTypes } from './kinds.ts'
import { formatOptions, parseOptions } from './options.ts'
import { RuleList } from './rule-list.tsx'
import { FIELD_RULES } from './rules.ts'
import type { Field } from './shape.ts'

interface Props {
  draft: DraftField
  sheet: DraftSheet
  sheets: readonly DraftSheet[]
  problems: readonly FieldProblem[]
  records: number | undefined
  onChange(field: Field): void
  onClose(): void
}

export function FieldDrawer({ draft, sheet, sheets, problems, records, onChange, onClose }: Props) {
  const { t, translate } = useTranslation()
  const { field, reasons } = draft
  const kind = getKind(field)
  const ruleTypes = listRuleTypes(kind)
  return (
    <Dialog title={getLabel(field)} place="end" onClose={onClose}>
      <div className="field-drawer">
        {reasons.length > 0 && (
          <section className="reasons">
            <h3>{t('whySuggested')}</h3>
            <ul>
              {reasons.map((reason) => (
                <li key={reason}>{translate(reason)}</li>
              ))}
            </ul>
          </section>
        )}
        <ProblemList problems={problems} records={records} />
        <TextField
          label={t('fieldDescription')}
          hint={t('fieldDescriptionHint')}
          value={field.description ?? ''}
          onChange={(event) => onChange({ ...field, description: event.target.value })}
        />
        <TextField
          label={t('alsoCalled')}
          hint={t('alsoCalledHint')}
          value={(field.alternativeNames ?? []).join(', ')}
          onChange={(event) => onChange({ ...field, alternativeNames: splitNames(event.target.value) })}
        />
        {hasOptions(kind) && <OptionsField key={draft.id} field={field} onChange={onChange} />}
        {isReference(kind) && <ReferenceField field={field} sheet={sheet} sheets={sheets} onChange={onChange} />}
        {ruleTypes.length > 0 && (
          <section>
            <h3>{t('fieldRules')}</h3>
            <FieldRules {...{ field, sheet, ruleTypes, onChange }} isDate={kind === 'date'} />
          </section>
        )}
      </div>
    </Dialog>
  )
}

const splitNames = (text: string): string[] => text.split(/,\s?/)

function ProblemList({ problems, records }: Pick<Props, 'problems' | 'records'>) {
  const { t, translate } = useTranslation()
  if (problems.length === 0) return null
  return (
    <ul className="notice error problem-list">
      {problems.map(({ message, count, examples }) => (
        <li key={message}>
          <strong>{t('wouldBeErrors', { count, total: records ?? count })}</strong>
          <span dir="auto">{translate(message)}</span>
          <span dir="auto" className="examples">
            {examples.map(String).join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

function OptionsField({ field, onChange }: { field: Field; onChange(field: Field): void }) {
  const { t } = useTranslation()
  const options = field.config?.options ?? []
  const [text, setText] = useState(() => formatOptions(options))
  return (
    <TextArea
      label={t('fieldOptions')}
      hint={t('onePerLine')}
      rows={Math.min(12, Math.max(4, options.length + 1))}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange({ ...field, config: { ...field.config, options: parseOptions(event.target.value, options) } })
      }}
    />
  )
}

function ReferenceField({
  field,
  sheet,
  sheets,
  onChange,
}: Pick<Props, 'sheet' | 'sheets' | 'onChange'> & { field: Field }) {
  const { t } = useTranslation()
  const targets = sheets.filter(({ id }) => id !== sheet.id)
  const target = targets.find(({ slug }) => slug === field.config?.ref)
  const choose = { value: '', label: t('choose') }
  const set = (ref: string, key: string) => onChange({ ...field, config: { ...field.config, ref, key } })
  if (targets.length === 0) return <p className="notice warn">{t('referenceNeedsSheet')}</p>
  return (
    <div className="reference">
      <SelectField
        label={t('referencedSheet')}
        value={target?.slug ?? ''}
        options={[choose, ...targets.map(({ slug, name }) => ({ value: slug, label: name }))]}
        onChange={(event) => set(event.target.value, '')}
      />
      <SelectField
        label={t('referencedField')}
        value={field.config?.key ?? ''}
        options={[
          choose,
          ...(target?.fields ?? []).map((one) => ({ value: one.field.key, label: getLabel(one.field) })),
        ]}
        onChange={(event) => set(field.config?.ref ?? '', event.target.value)}
      />
    </div>
  )
}

interface RulesProps {
  field: Field
  sheet: DraftSheet
  ruleTypes: readonly string[]
  isDate: boolean
  onChange(field: Field): void
}

function FieldRules({ field, sheet, ruleTypes, isDate, onChange }: RulesProps) {
  const forms = Object.fromEntries(ruleTypes.map((type) => [type, FIELD_RULES[type]!]))
  const constraints = field.constraints ?? []
  const hasForm = ({ type }: { type: string }) => ruleTypes.includes(type)
  return (
    <RuleList
      forms={forms}
      rules={constraints.filter(hasForm)}
      fields={sheet.fields.map((one) => one.field)}
      isDate={isDate}
      onChange={(rules) =>
        onChange({ ...field, constraints: [...constraints.filter((one) => !hasForm(one)), ...rules] })
      }
    />
  )
}
