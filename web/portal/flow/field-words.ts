import type { I18n } from '../../shared/texts/texts.tsx'
import type { Sheet, SheetField } from '../queries.ts'

const MAX_OPTIONS = 5

interface FieldConfig {
  options?: { value?: unknown; label?: string | null }[]
  ref?: string
}

export const isRequired = ({ constraints }: Pick<SheetField, 'constraints'>): boolean =>
  (constraints ?? []).some(({ type }) => type === 'required')

const isUnique = ({ constraints }: SheetField): boolean => (constraints ?? []).some(({ type }) => type === 'unique')

export const nameOfField = ({ key, label }: { key: string; label?: string | null }): string => label || key

export function describeField(field: SheetField, sheets: readonly Sheet[], i18n: I18n): string {
  const { t } = i18n
  const kind = describeType(field, sheets, i18n)
  return isUnique(field) ? `${kind} · ${t('fieldNoDuplicates')}` : kind
}

function describeType(field: SheetField, sheets: readonly Sheet[], { t, language }: I18n): string {
  const config = ('config' in field ? field.config : undefined) as FieldConfig | null | undefined
  switch (field.type) {
    case 'number':
      return t('fieldNumber')
    case 'boolean':
      return t('fieldBoolean')
    case 'date':
      return t('fieldDate')
    case 'enum':
    case 'enum-list': {
      const names = (config?.options ?? []).map(({ value, label }) => label || String(value ?? ''))
      const shown = names.slice(0, MAX_OPTIONS)
      const list = new Intl.ListFormat(language, { type: 'unit' }).format(
        names.length > shown.length ? [...shown, '…'] : shown,
      )
      return t('fieldOneOf', { options: list })
    }
    case 'reference':
    case 'reference-list': {
      const sheet = sheets.find(({ id, slug }) => slug === config?.ref || id === config?.ref)
      return t('fieldReference', { sheet: sheet?.name ?? config?.ref ?? '' })
    }
    case 'string-list':
      return t('fieldList')
    default:
      return describeFormat(field, t)
  }
}

function describeFormat({ metadata }: SheetField, t: I18n['t']): string {
  const format = (metadata as { format?: unknown } | null | undefined)?.format
  if (format === 'email') return t('fieldEmail')
  if (format === 'phone') return t('fieldPhone')
  if (format === 'url') return t('fieldUrl')
  return t('fieldText')
}
