import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField, TextField } from '../../shared/ui/controls.tsx'
import { Menu } from '../../shared/ui/menu.tsx'
import { newId } from './draft.ts'
import { RuleInputField } from './rule-inputs.tsx'
import type { RuleForm } from './rules.ts'
import type { Constraint, Field } from './shape.ts'

interface Props {
  forms: Record<string, RuleForm>
  rules: readonly Constraint[]
  fields: readonly Field[]
  isDate?: boolean
  onChange(rules: Constraint[]): void
}

function createRule(type: string, form: RuleForm): Constraint {
  if (form.isFlat) return { type, name: `${type}-${newId()}`, fields: [] }
  const choices = form.inputs.flatMap((input) =>
    input.kind === 'choice' ? [[input.name, input.options[0]!.value]] : [],
  )
  return { type, config: Object.fromEntries(choices) }
}

export function RuleList({ forms, rules, fields, isDate = false, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <ul className="rules">
        {rules.map((rule, at) => {
          const form = forms[rule.type]
          return (
            form && (
              // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity
              <li key={at}>
                <RuleCard
                  {...{ rule, form, fields, isDate }}
                  onChange={(next) => onChange(rules.with(at, next))}
                  onRemove={() => onChange(rules.toSpliced(at, 1))}
                />
              </li>
            )
          )
        })}
      </ul>
      <Menu
        label={t('addRule')}
        entries={Object.entries(forms).map(([type, form]) => ({
          id: type,
          label: t(form.label),
          run: () => onChange([...rules, createRule(type, form)]),
        }))}
      >
        <Plus aria-hidden="true" />
        {t('addRule')}
      </Menu>
    </>
  )
}

interface CardProps {
  rule: Constraint
  form: RuleForm
  fields: readonly Field[]
  isDate: boolean
  onChange(rule: Constraint): void
  onRemove(): void
}

function RuleCard({ rule, form, fields, isDate, onChange, onRemove }: CardProps) {
  const { t } = useTranslation()
  const config = rule.config ?? {}
  const getValue = (name: string) => (form.isFlat ? rule[name] : config[name])
  const setConfig = (name: string, value: unknown) => onChange({ ...rule, config: { ...config, [name]: value } })
  const setValue = (name: string, value: unknown) =>
    form.isFlat ? onChange({ ...rule, [name]: value }) : setConfig(name, value)
  return (
    <fieldset className="rule-card">
      <legend>{t(form.label)}</legend>
      <Button kind="ghost" className="icon" aria-label={t('removeRule', { name: t(form.label) })} onClick={onRemove}>
        <Trash2 aria-hidden="true" />
      </Button>
      <div className="rule-inputs">
        {form.inputs.map((input) => (
          <RuleInputField
            key={input.name}
            {...{ input, isDate, fields }}
            value={getValue(input.name)}
            onChange={(value) => setValue(input.name, value)}
          />
        ))}
        <TextField
          label={t(form.needsMessage ? 'ruleMessage' : 'ruleOwnMessage')}
          value={String(config.message ?? '')}
          onChange={(event) => setConfig('message', event.target.value || undefined)}
        />
        <SelectField
          label={t('ruleLevel')}
          value={String(config.level ?? 'error')}
          options={[
            { value: 'error', label: t('levelError') },
            { value: 'warn', label: t('levelWarning') },
          ]}
          onChange={(event) => setConfig('level', event.target.value === 'error' ? undefined : event.target.value)}
        />
      </div>
    </fieldset>
  )
}
