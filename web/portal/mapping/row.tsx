/** One column of the file with its target field and value mapping. */
import { useState } from 'react'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { formatShown } from '../sheet/cells.ts'
import { type Choice, getOptions, type Target } from './plan.ts'
import type { ColumnPreview } from './use-preview.ts'
import { ValueMapping } from './value-mapping.tsx'

const MATCH_BADGES: Record<NonNullable<Choice['match']>, { text: TextKey; kind: string }> = {
  absolute: { text: 'matched', kind: 'good' },
  strong: { text: 'matched', kind: 'good' },
  moderate: { text: 'likely', kind: 'fair' },
  weak: { text: 'needsReview', kind: 'bad' },
  chosen: { text: 'chosenByYou', kind: 'good' },
}

interface Props {
  choice: Choice
  targets: readonly Target[]
  preview: ColumnPreview | undefined
  sourceSheetId: string
  /** The columns that fill fields, by field. */
  takenBy: ReadonlyMap<string, string>
  onTarget(target: string | undefined, swaps?: boolean): void
  onChange(choice: Choice): void
}

export function ColumnRow(props: Props) {
  const { choice, targets, preview: outcome, sourceSheetId, takenBy, onTarget, onChange } = props
  const { t } = useTranslation()
  const [wanted, setWanted] = useState<string>()
  const { source, target, match, preview } = choice
  const name = source.label || source.key
  const field = targets.find(({ key }) => key === target)
  const options = getOptions(field)
  const choose = (key: string | undefined) => {
    if (key !== undefined && key !== target && takenBy.has(key)) return setWanted(key)
    setWanted(undefined)
    onTarget(key)
  }
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
        value={wanted ?? target ?? ''}
        options={[
          { value: '', label: t('dontImport') },
          ...targets.map(({ key, label, constraints }) => ({
            value: key,
            label: [
              `${label || key}${(constraints ?? []).some(({ type }) => type === 'required') ? ' *' : ''}`,
              ...(key !== target && takenBy.has(key) ? [`← ${takenBy.get(key)}`] : []),
            ].join(' '),
          })),
        ]}
        onChange={(event) => choose(event.target.value || undefined)}
      />
      <span>
        {match ? (
          <span className={`badge ${MATCH_BADGES[match].kind}`}>{t(MATCH_BADGES[match].text)}</span>
        ) : (
          <span className="badge">{t('notImported')}</span>
        )}
      </span>
      {wanted !== undefined && (
        <Taken
          column={takenBy.get(wanted) ?? ''}
          field={targets.find(({ key }) => key === wanted)?.label || wanted}
          canSwap={target !== undefined}
          onTake={(swaps) => {
            setWanted(undefined)
            onTarget(wanted, swaps)
          }}
          onCancel={() => setWanted(undefined)}
        />
      )}
      {outcome && wanted === undefined && <Outcome outcome={outcome} />}
      {options.length > 0 && field && (
        <ValueMapping key={field.key} choice={choice} field={field} sourceSheetId={sourceSheetId} onChange={onChange} />
      )}
    </section>
  )
}

interface TakenProps {
  column: string
  field: string
  canSwap: boolean
  onTake(swaps: boolean): void
  onCancel(): void
}

function Taken({ column, field, canSwap, onTake, onCancel }: TakenProps) {
  const { t } = useTranslation()
  return (
    <div className="mapping-taken notice warn" role="alert">
      <span dir="auto">{t('fieldIsTaken', { field, column })}</span>
      <span className="buttons">
        {canSwap && <Button onClick={() => onTake(true)}>{t('swap')}</Button>}
        <Button onClick={() => onTake(false)}>{t('dontImportColumn', { column })}</Button>
        <Button kind="ghost" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </span>
    </div>
  )
}

function Outcome({ outcome: { converted, unreadable, examples } }: { outcome: ColumnPreview }) {
  const { t } = useTranslation()
  if (converted === 0 && unreadable === 0) return null
  return (
    <p className="mapping-outcome">
      {converted > 0 && (
        <span>
          {t('valuesRead', { count: converted })}{' '}
          {examples.converted.map(({ before, after }) => (
            <bdi key={JSON.stringify(before)} className="mono example">
              {formatShown(before, t) || '—'} → {formatShown(after, t) || '—'}
            </bdi>
          ))}
        </span>
      )}
      {unreadable > 0 && (
        <span className="bad">
          {t('valuesUnreadable', { count: unreadable })}{' '}
          <bdi className="mono">
            {examples.unreadable.map((example) => formatShown(example.before, t) || '—').join(' · ')}
          </bdi>
        </span>
      )}
    </p>
  )
}
