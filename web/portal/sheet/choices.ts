import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { distance } from 'fastest-levenshtein'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { type I18n, useTranslation } from '../../shared/texts/texts.tsx'
import type { PickerOption } from '../../shared/ui/option-list.tsx'
import type { Sheet, SheetField } from '../queries.ts'
import { formatValue } from './cells.ts'

/** `value` is the key in the picker, `typedValue` what is stored. */
export interface CellOption extends PickerOption {
  typedValue: unknown
}

const MAX_SUGGESTIONS = 3
const SEARCH_DEBOUNCE_MS = 150
const MAX_FOUND_RECORDS = 50
const MAX_DESCRIPTION_VALUES = 3

export function getFieldOptions(field: SheetField, t: I18n['t']): CellOption[] {
  if (field.type === 'boolean')
    return [
      { value: 'true', label: t('yes'), typedValue: true },
      { value: 'false', label: t('no'), typedValue: false },
    ]
  if (field.type !== 'enum' && field.type !== 'enum-list') return []
  return field.config.options.flatMap(({ value, label, alternativeNames }) =>
    value == null
      ? []
      : [
          {
            value: String(value),
            label: label || String(value),
            keywords: alternativeNames?.join('\n'),
            typedValue: value,
          },
        ],
  )
}

/** Options that are spelled like the text, first. */
export function suggestOptions(options: readonly CellOption[], text: string, note: string): CellOption[] {
  const wanted = text.toLowerCase()
  const limit = Math.max(1, Math.floor(text.length * 0.4))
  const suggestions = options
    .map((option) => ({ option, edits: distance(wanted, option.label.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ option }) => option)
  const others = options.filter((option) => !suggestions.includes(option))
  return [...suggestions.map((option) => ({ ...option, description: note })), ...others]
}

type ReferenceConfig = Extract<SheetField, { type: 'reference' }>['config']

export const getReferenceConfig = (field: SheetField): ReferenceConfig | undefined =>
  field.type === 'reference' || field.type === 'reference-list' ? field.config : undefined

/** Searches the referenced sheet: a record is found by any of its values. */
export function useFieldOptions(field: SheetField, sheets: readonly Sheet[], initialText: string) {
  const { t } = useTranslation()
  const config = getReferenceConfig(field)
  const target = config && sheets.find(({ id, slug }) => id === config.ref || slug === config.ref)
  const [text, setText] = useState(initialText)
  const [searchText, setSearchText] = useState(initialText)
  useEffect(() => {
    const timer = setTimeout(() => setSearchText(text), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const found = useQuery({
    queryKey: ['reference', target?.id, config?.key, searchText],
    queryFn: ({ signal }) => searchRecords(target!, config!.key, searchText, signal),
    enabled: target !== undefined,
    placeholderData: keepPreviousData,
  })
  if (!config) return { options: getFieldOptions(field, t) }
  return { options: found.data ?? [], isLoading: found.isFetching || text !== searchText, onSearch: setText }
}

async function searchRecords(sheet: Sheet, key: string, text: string, signal: AbortSignal): Promise<CellOption[]> {
  const query = { searchValue: text.trim() || undefined, pageSize: MAX_FOUND_RECORDS, includeMessages: false }
  const params = { path: { sheetId: sheet.id }, query }
  const { data } = await unwrap(api.GET('/api/v1/sheets/{sheetId}/records', { params, signal }))
  const options = data.records.flatMap(({ values }) => {
    const typedValue = values[key]?.value
    if (typedValue == null) return []
    const others = sheet.config.fields.filter((field) => field.key !== key).map((field) => values[field.key]?.value)
    const texts = others.map(formatValue).filter((each) => each !== '')
    const description = texts.slice(0, MAX_DESCRIPTION_VALUES).join(' · ')
    const value = formatValue(typedValue)
    return [{ value, label: value, description, keywords: texts.join('\n'), typedValue }]
  })
  return [...new Map(options.map((option) => [option.value, option])).values()]
}
