import type { TextKey } from '../../shared/texts/keys.ts'
import { needsValue, parseCondition, type Test } from './condition.ts'
import type { Constraint } from './shape.ts'

export type RuleInput =
  | {
      kind: 'count' | 'bound' | 'text' | 'lines' | 'field' | 'fields' | 'condition' | 'flag'
      name: string
      label: TextKey
    }
  | { kind: 'choice'; name: string; label: TextKey; options: readonly { value: string; label: TextKey }[] }

export interface RuleForm {
  label: TextKey
  inputs: readonly RuleInput[]
  isFlat?: boolean
  needsMessage?: boolean
}

const IGNORE_CASE = { kind: 'flag', name: 'ignoreCase', label: 'ruleIgnoreCase' } as const

export const FIELD_RULES: Record<string, RuleForm> = {
  length: {
    label: 'ruleLength',
    inputs: [
      { kind: 'count', name: 'min', label: 'ruleAtLeast' },
      { kind: 'count', name: 'max', label: 'ruleAtMost' },
    ],
  },
  pattern: { label: 'rulePattern', inputs: [{ kind: 'text', name: 'pattern', label: 'rulePatternText' }, IGNORE_CASE] },
  range: {
    label: 'ruleRange',
    inputs: [
      { kind: 'bound', name: 'gte', label: 'ruleAtLeast' },
      { kind: 'bound', name: 'lte', label: 'ruleAtMost' },
    ],
  },
  oneOf: { label: 'ruleOneOf', inputs: [{ kind: 'lines', name: 'values', label: 'ruleValues' }, IGNORE_CASE] },
  phone: { label: 'rulePhone', inputs: [{ kind: 'text', name: 'country', label: 'ruleCountry' }] },
}

const FIELD = { kind: 'field', name: 'field', label: 'field' } as const
const WHEN = { kind: 'condition', name: 'when', label: 'ruleWhen' } as const

export const SHEET_RULES: Record<string, RuleForm> = {
  'required-if': { label: 'ruleRequiredIf', inputs: [FIELD, WHEN] },
  'required-with': { label: 'ruleRequiredWith', inputs: [FIELD, { kind: 'fields', name: 'with', label: 'ruleWith' }] },
  compare: {
    label: 'ruleCompare',
    inputs: [
      FIELD,
      {
        kind: 'choice',
        name: 'operator',
        label: 'ruleOperator',
        options: [
          { value: 'lt', label: 'compareLt' },
          { value: 'lte', label: 'compareLte' },
          { value: 'gt', label: 'compareGt' },
          { value: 'gte', label: 'compareGte' },
          { value: 'eq', label: 'compareEq' },
          { value: 'ne', label: 'compareNe' },
        ],
      },
      { kind: 'field', name: 'other', label: 'ruleOther' },
    ],
  },
  unique: {
    label: 'ruleUniqueTogether',
    isFlat: true,
    inputs: [{ kind: 'fields', name: 'fields', label: 'ruleFields' }],
  },
  rule: { label: 'ruleForbidden', needsMessage: true, inputs: [WHEN] },
}

const isEmptyInput = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const isTestComplete = ({ field, comparison, value }: Test): boolean =>
  field !== '' && (value !== '' || !needsValue(comparison))

function isFilled(input: RuleInput, value: unknown): boolean {
  if (input.kind !== 'condition') return !isEmptyInput(value)
  const tests = parseCondition(String(value ?? ''))
  return !isEmptyInput(value) && (tests?.every(isTestComplete) ?? true)
}

export function isComplete(rule: Constraint): boolean {
  const form = FIELD_RULES[rule.type] ?? SHEET_RULES[rule.type]
  if (!form || (rule.type === 'unique' && !('fields' in rule)) || rule.type === 'phone') return true
  const isSet = (input: RuleInput) => isFilled(input, form.isFlat ? rule[input.name] : rule.config?.[input.name])
  const required = form.inputs.filter(({ kind }) => kind !== 'flag')
  const hasBounds = required.every(({ kind }) => kind === 'count' || kind === 'bound')
  if (form.needsMessage && isEmptyInput(rule.config?.message)) return false
  return hasBounds ? required.some(isSet) : required.every(isSet)
}
