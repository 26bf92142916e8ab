/** One column of the file with its target field and value mapping. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { SelectField } from '../../shared/ui/controls.tsx'
import { type Choice, getOptions, type Target } from './plan.ts'
import type { ColumnPreview } from './use-preview.ts'

const MATCH_BADGES: Record<NonNullable<Choice['match']>, { text: TextKey; kind: string }> = {
  absolute: { text: 'matched', kind: 'good' },
  strong: { text: 'matched', kind: 'good' },
  moderate: { text: 'likely', kind: 'fair' },
  weak: { text: 'needsReview', kind: 'bad' },
  chosen: { text: 'chosenByYou', kind: 'good' },
}
const MAX_VALUES = 200

interface Props {
  choice: Choice
  targets: readonly Target[]
  preview: ColumnPreview | undefined
  sourceSheetId: string
  onTarget(target: string | undefined): void
  onChange(choice: Choice): void
}

export function ColumnRow({ choice, targets, preview: outcome, sourceSheetId, onTarget, onChange }: Props) {
  const { t } = useTranslation()
  const { source, target, match, preview } = choice
  const name = source.label || source.key
  const field = targets.find(({ key }) => key === target)
  const options = getOptions(field)
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
          { value: '', label: t('dontImport') },
          ...targets.map(({ key, label, constraints }) => ({
            value: key,
            label: `${label || key}${(constraints ?? []).some(({ type }) => type === 'required') ? ' *' : ''}`,
          })),
        ]}
        onChange={(event) => onTarget(event.target.value || undefined)}
      />
      <span>
        {match ? (
          <span className={`badge ${MATCH_BADGES[match].kind}`}>{t(MATCH_BADGES[match].text)}</span>
        ) : (
          <span className="badge">{t('notImported')}</span>
        )}
      </span>
      {outcome && <Outcome outcome={outcome} />}
      {options.length > 0 && field && (
        <ValueMapping key={field.key} choice={choice} field={field} sourceSheetId={sourceSheetId} onChange={onChange} />
      )}
    </section>
  )
}

function Outcome({ outcome: { converted, unreadable, examples } }: { outcome: ColumnPreview }) {
  const { t } = useTranslation()
  if (converted === 0 && unreadable === 0) return null
  const [before, after] = [examples.converted[0]?.before, examples.converted[0]?.after]
  return (
    <p className="mapping-outcome">
      {converted > 0 && (
        <span>
          {t('valuesRead', { count: converted })}{' '}
          <bdi className="mono">
            {formatExample(before)} → {formatExample(after)}
          </bdi>
        </span>
      )}
      {unreadable > 0 && (
        <span className="bad">
          {t('valuesUnreadable', { count: unreadable })}{' '}
          <bdi className="mono">{examples.unreadable.map((example) => formatExample(example.before)).join(' · ')}</bdi>
        </span>
      )}
    </p>
  )
}

const formatExample = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? '—'))

function ValueMapping({
  choice,
  field,
  sourceSheetId,
  onChange,
}: Omit<Props, 'targets' | 'preview' | 'onTarget'> & { field: Target }) {
  const { t } = useTranslation()
  const options = getOptions(field)
  const valuesQuery = useQuery({
    queryKey: ['values', sourceSheetId, choice.source.key],
    enabled: sourceSheetId !== '',
    async queryFn() {
      const query = { fieldKey: choice.source.key, distinct: true, pageSize: MAX_VALUES } as const
      const path = { sheetId: sourceSheetId }
      const { data } = await unwrap(api.GET('/api/v1/sheets/{sheetId}/cells', { params: { path, query } }))
      return (data[choice.source.key] ?? []).map(({ value }) => value).filter((value) => value !== null && value !== '')
    },
  })
  const values = (valuesQuery.data ?? []).map(String)
  const valuesWithoutChoice = values.filter((value) => !(value in choice.values))
  useEffect(() => {
    if (valuesWithoutChoice.length === 0) return
    const findSameOption = (text: string) =>
      options.find(({ value, label }) =>
        [String(value), label].some((name) => name.toLowerCase() === text.toLowerCase()),
      )
    const defaults = Object.fromEntries(
      valuesWithoutChoice.map((value) => [value, findSameOption(value) && String(findSameOption(value)!.value)]),
    )
    onChange({ ...choice, values: { ...choice.values, ...defaults } })
  }, [valuesWithoutChoice, options, choice, onChange])
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
              { value: '', label: t('keepOriginal') },
              ...options.map((option) => ({ value: String(option.value), label: option.label })),
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
