import type { I18n } from '../../shared/texts/texts.tsx'
import { type Draft, type DraftSheet, getLabel } from './draft.ts'
import { getKind, hasOptions, isReference } from './kinds.ts'
import { isComplete } from './rules.ts'
import type { Field } from './shape.ts'

type T = I18n['t']

export function findMissing({ name, sheets }: Draft, t: T): string[] {
  const found = [
    ...(name.trim() === '' ? [t('missingName')] : []),
    ...sheets.flatMap((sheet) => findMissingInSheet(sheet, t)),
  ]
  return [...new Set(found)]
}

function findMissingInSheet({ name, fields, constraints }: DraftSheet, t: T): string[] {
  if (fields.length === 0) return [t('missingFields', { sheet: name })]
  return [
    ...fields.flatMap(({ field }) => findMissingInField(field, t)),
    ...(constraints.every(isComplete) ? [] : [t('missingRuleIn', { name })]),
  ]
}

function findMissingInField(field: Field, t: T): string[] {
  const [name, kind] = [getLabel(field), getKind(field)]
  return [
    ...(field.label?.trim() ? [] : [t('missingFieldName')]),
    ...(hasOptions(kind) && !field.config?.options?.length ? [t('missingOptions', { name })] : []),
    ...(isReference(kind) && !(field.config?.ref && field.config.key) ? [t('missingReference', { name })] : []),
    ...((field.constraints ?? []).every(isComplete) ? [] : [t('missingRuleIn', { name })]),
  ]
}
