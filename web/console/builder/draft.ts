import { type Kind, withKind } from './kinds.ts'
import type { Constraint, Field } from './shape.ts'

export interface DraftField {
  id: number
  field: Field
  column?: string | undefined
  reasons: string[]
}

export interface DraftSheet {
  id: number
  sheetId?: string
  name: string
  slug: string
  fields: DraftField[]
  constraints: Constraint[]
  sampleSheetId?: string | undefined
}

export interface Draft {
  name: string
  sheets: DraftSheet[]
  canSubmit: boolean
  onlyValid: boolean
  sampleSpaceId?: string
}

let lastId = Date.now()
export const newId = (): number => ++lastId

export function createField(
  label: string,
  kind: Kind,
  usedKeys: Iterable<string>,
  more: Partial<Field> = {},
): DraftField {
  const field = withKind({ key: findFreeKey(toKey(label), new Set(usedKeys)), label, type: 'string', ...more }, kind)
  return { id: newId(), field, reasons: [] }
}

const toKey = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100) || 'field'

function findFreeKey(key: string, usedKeys: ReadonlySet<string>): string {
  for (let number = 2, free = key; ; number++) {
    if (!usedKeys.has(free)) return free
    free = `${key}_${number}`
  }
}

export const listKeys = ({ fields }: Pick<DraftSheet, 'fields'>): string[] => fields.map(({ field }) => field.key)

export const getLabel = ({ label, key }: Pick<Field, 'label' | 'key'>): string => label || key

export function createSheet(name: string, sheets: readonly DraftSheet[], fields: DraftField[] = []): DraftSheet {
  const slug = findFreeKey(toKey(name), new Set(sheets.map((sheet) => sheet.slug)))
  return { id: newId(), name, slug, fields, constraints: [] }
}

export const hasConstraint = ({ constraints }: Field, type: string): boolean =>
  (constraints ?? []).some((constraint) => constraint.type === type)

export function withConstraint(field: Field, type: string, isOn: boolean): Field {
  const others = (field.constraints ?? []).filter((constraint) => constraint.type !== type)
  return { ...field, constraints: isOn ? [{ type }, ...others] : others }
}

export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const target = Math.max(0, Math.min(items.length - 1, to))
  const moved = items.toSpliced(from, 1)
  return moved.toSpliced(target, 0, items[from]!)
}

export function rename(sheet: DraftSheet, id: number, label: string): DraftSheet {
  const others = sheet.fields.filter((one) => one.id !== id)
  return {
    ...sheet,
    fields: sheet.fields.map((one) => {
      if (one.id !== id) return one
      const isKnown = sheet.sheetId !== undefined || one.column !== undefined || isNamed(sheet, one.field.key)
      const key = isKnown ? one.field.key : findFreeKey(toKey(label), new Set(listKeys({ fields: others })))
      return { ...one, field: { ...one.field, label, key } }
    }),
  }
}

const collectTexts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value, ...value.matchAll(/[^\s"]+|(?<=")[^"]+(?=")/g)].map(String)
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(collectTexts)
      : []

const names = (constraint: Constraint, key: string): boolean => collectTexts(constraint).includes(key)
const isNamed = ({ constraints, fields }: DraftSheet, key: string): boolean =>
  constraints.some((constraint) => names(constraint, key)) ||
  fields.some(({ field }) => field.constraints?.some((constraint) => constraint.config?.countryField === key))

export function removeField(sheet: DraftSheet, id: number): { sheet: DraftSheet; rules: number } {
  const key = sheet.fields.find((one) => one.id === id)?.field.key
  const constraints = sheet.constraints.filter((constraint) => key === undefined || !names(constraint, key))
  const fields = sheet.fields.filter((one) => one.id !== id)
  return { sheet: { ...sheet, fields, constraints }, rules: sheet.constraints.length - constraints.length }
}

export const SUBMIT = 'submit-and-lock'

export function toSheetConfig({ name, slug, fields, constraints }: DraftSheet) {
  return {
    name,
    slug,
    fields: fields.map(({ field }) => cleanField(field)),
    ...(constraints.length > 0 ? { constraints } : {}),
  }
}

function cleanField({ alternativeNames, ...field }: Field): Field {
  const names = (alternativeNames ?? []).map((name) => name.trim()).filter(Boolean)
  const entries = Object.entries({ ...field, alternativeNames: names }).filter(
    ([, value]) =>
      value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(entries) as unknown as Field
}

export const buildActions = ({ canSubmit, onlyValid }: Pick<Draft, 'canSubmit' | 'onlyValid'>, label: string) =>
  canSubmit
    ? [
        {
          operation: SUBMIT,
          label,
          primary: true,
          mode: 'foreground' as const,
          constraints: [{ type: 'hasData' as const }, ...(onlyValid ? [{ type: 'hasAllValid' as const }] : [])],
        },
      ]
    : []

export const toBlueprint = (draft: Draft, submitLabel: string) => ({
  name: draft.name,
  sheets: draft.sheets.map(toSheetConfig),
  actions: buildActions(draft, submitLabel),
})
