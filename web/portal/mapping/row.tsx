/** One column of the file: what is in it, which field it fills, how sure that is, what its values become. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { type TextKey, useTexts } from '../../shared/texts/texts.tsx'
import { SelectField } from '../../shared/ui/controls.tsx'
import { type Choice, optionsOf, type Target } from './plan.ts'

const CERTAINTY: Record<NonNullable<Choice['certainty']>, { text: TextKey; kind: string }> = {
  absolute: { text: 'certain', kind: 'good' },
  strong: { text: 'certain', kind: 'good' },
  moderate: { text: 'likely', kind: 'fair' },
  weak: { text: 'unsure', kind: 'bad' },
  chosen: { text: 'chosenByYou', kind: 'good' },
}
/** Values of an enum that are offered one by one. */
const SHOWN_VALUES = 200

interface Given {
  choice: Choice
  targets: readonly Target[]
  sourceSheetId: string
  onTarget(target: string | undefined): void
  onChange(choice: Choice): void
}

export function ColumnRow({ choice, targets, sourceSheetId, onTarget, onChange }: Given) {
  const { t } = useTexts()
  const { source, target, certainty, preview } = choice
  const name = source.label || source.key
  const field = targets.find(({ key }) => key === target)
  const options = optionsOf(field)
  return (
    <section className="mapping-row" aria-label={name}>
      <div className="mapping-source">
        <strong dir="auto">{name}</strong>
        <span className="hint clip" dir="auto">
          {preview.filter(Boolean).slice(0, 3).join(' · ')}
        </span>
      </div>
      <SelectField
        hideLabel
        label={t('fieldFor', { column: name })}
        value={target ?? ''}
        options={[
          { value: '', label: t('leaveOut') },
          ...targets.map(({ key, label, constraints }) => ({
            value: key,
            label: `${label || key}${(constraints ?? []).some(({ type }) => type === 'required') ? ' *' : ''}`,
          })),
        ]}
        onChange={(event) => onTarget(event.target.value || undefined)}
      />
      <span>
        {certainty ? (
          <span className={`badge ${CERTAINTY[certainty].kind}`}>{t(CERTAINTY[certainty].text)}</span>
        ) : (
          <span className="badge">{t('leftOut')}</span>
        )}
      </span>
      {options.length > 0 && field && (
        <Values key={field.key} choice={choice} field={field} sourceSheetId={sourceSheetId} onChange={onChange} />
      )}
    </section>
  )
}

function Values({ choice, field, sourceSheetId, onChange }: Omit<Given, 'targets' | 'onTarget'> & { field: Target }) {
  const { t } = useTexts()
  const options = optionsOf(field)
  const found = useQuery({
    queryKey: ['values', sourceSheetId, choice.source.key],
    enabled: sourceSheetId !== '',
    async queryFn() {
      const query = { fieldKey: choice.source.key, distinct: true, pageSize: SHOWN_VALUES } as const
      const path = { sheetId: sourceSheetId }
      const { data } = await ask(api.GET('/api/v1/sheets/{sheetId}/cells', { params: { path, query } }))
      return (data[choice.source.key] ?? []).map(({ value }) => value).filter((value) => value !== null && value !== '')
    },
  })
  const values = (found.data ?? []).map(String)
  const open = values.filter((value) => !(value in choice.values))
  // What no suggestion speaks of begins with the option that reads the same.
  useEffect(() => {
    if (open.length === 0) return
    const same = (text: string) =>
      options.find(({ value, label }) =>
        [String(value), label].some((each) => each.toLowerCase() === text.toLowerCase()),
      )
    const added = Object.fromEntries(open.map((value) => [value, same(value) && String(same(value)!.value)]))
    onChange({ ...choice, values: { ...choice.values, ...added } })
  }, [open, options, choice, onChange])
  const unmatched = values.filter((value) => choice.values[value] === undefined).length
  return (
    <details className="mapping-values" open={unmatched > 0}>
      <summary>{t('valueMapping', { done: values.length - unmatched, total: values.length })}</summary>
      {values.map((value) => (
        <div key={value} className="value-row">
          <span className="clip" dir="auto">
            {value}
          </span>
          <SelectField
            hideLabel
            label={t('valueFor', { value })}
            value={choice.values[value] ?? ''}
            options={[
              { value: '', label: t('leaveAsIs') },
              ...options.map((each) => ({ value: String(each.value), label: each.label })),
            ]}
            onChange={(event) =>
              onChange({ ...choice, values: { ...choice.values, [value]: event.target.value || undefined } })
            }
          />
        </div>
      ))}
    </details>
  )
}
