/** Which option each value of a column becomes. Values without one come first. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { SelectField } from '../../shared/ui/controls.tsx'
import { type Choice, getOptions, type Target } from './plan.ts'

const MAX_VALUES = 200

interface Props {
  choice: Choice
  field: Target
  sourceSheetId: string
  onChange(choice: Choice): void
}

export function ValueMapping({ choice, field, sourceSheetId, onChange }: Props) {
  const { t } = useTranslation()
  const options = getOptions(field)
  const values = useDistinctValues(sourceSheetId, choice.source.key)
  const hasSuggestions = choice.edge !== undefined
  const valuesWithoutChoice = values.filter((value) => !(value in choice.values))
  useEffect(() => {
    if (valuesWithoutChoice.length === 0 || !hasSuggestions) return
    const findSameOption = (text: string) =>
      options.find(({ value, label }) =>
        [String(value), label].some((name) => name.toLowerCase() === text.toLowerCase()),
      )
    const defaults = Object.fromEntries(
      valuesWithoutChoice.map((value) => [value, findSameOption(value) && String(findSameOption(value)!.value)]),
    )
    onChange({ ...choice, values: { ...choice.values, ...defaults } })
  }, [valuesWithoutChoice, options, choice, hasSuggestions, onChange])
  const unmatched = values.filter((value) => choice.values[value] === undefined)
  // A value stays where it is when it gets an option, so that the list does not jump.
  const [shownFirst, setShownFirst] = useState<ReadonlySet<string>>()
  useEffect(() => {
    if (!shownFirst && values.length > 0 && valuesWithoutChoice.length === 0) setShownFirst(new Set(unmatched))
  }, [shownFirst, values, valuesWithoutChoice, unmatched])
  const isFirst = (value: string) => shownFirst?.has(value) ?? false
  const renderValue = (value: string) => (
    <div key={value} className="value-row">
      <span className="clip" dir="auto">
        {value}
      </span>
      <SelectField
        hideLabel
        label={t('valueFor', { value })}
        value={choice.values[value] ?? ''}
        options={[
          { value: '', label: t('keepOriginal') },
          ...options.map((option) => ({
            value: String(option.value),
            label: typeof option.value === 'boolean' ? t(option.value ? 'yes' : 'no') : option.label,
          })),
        ]}
        onChange={(event) =>
          onChange({ ...choice, values: { ...choice.values, [value]: event.target.value || undefined } })
        }
      />
    </div>
  )
  if (values.length === 0) return null
  return (
    <div className="mapping-values">
      {values.filter(isFirst).map(renderValue)}
      <details>
        <summary>{t('valueMapping', { done: values.length - unmatched.length, total: values.length })}</summary>
        {values.filter((value) => !isFirst(value)).map(renderValue)}
      </details>
    </div>
  )
}

function useDistinctValues(sheetId: string, fieldKey: string): readonly string[] {
  const query = useQuery({
    queryKey: ['values', sheetId, fieldKey],
    enabled: sheetId !== '',
    async queryFn() {
      const params = { path: { sheetId }, query: { fieldKey, distinct: true, pageSize: MAX_VALUES } as const }
      const { data } = await unwrap(api.GET('/api/v1/sheets/{sheetId}/cells', { params }))
      const values = (data[fieldKey] ?? []).map(({ value }) => value)
      return values.filter((value) => value !== null && value !== '').map(String)
    },
  })
  return query.data ?? NO_VALUES
}

const NO_VALUES: readonly string[] = []
