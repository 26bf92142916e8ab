/** Required fields that no column fills yet, with the columns that could. */
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import type { Choice, Target } from './plan.ts'
import { compareNames } from './rank-targets.ts'

const MAX_CANDIDATES = 2

interface Props {
  fields: readonly Target[]
  targets: readonly Target[]
  choices: readonly Choice[]
  onChoose(sourceKey: string, target: string): void
}

export function RequiredFields({ fields, targets, choices, onChoose }: Props) {
  const { t } = useTranslation()
  if (fields.length === 0) return null
  const names = new Map(targets.map(({ key, label }) => [key, label || key]))
  return (
    <section className="required-fields" aria-label={t('requiredFields')}>
      <p role="status" className="notice warn">
        {t('missingRequired', { count: fields.length, fields: fields.map(({ key }) => names.get(key)!).join(', ') })}
      </p>
      {fields.map((field) => {
        const name = field.label || field.key
        const candidates = choices
          .filter(({ target }) => target === undefined)
          .toSorted((a, b) => compareNames(b.source, field) - compareNames(a.source, field))
          .slice(0, MAX_CANDIDATES)
        return (
          <div key={field.key} className="required-field">
            <strong>
              <bdi>{name}</bdi>
            </strong>
            {candidates.map(({ source }) => (
              <Button key={source.key} onClick={() => onChoose(source.key, field.key)}>
                {t('useColumn', { column: source.label || source.key })}
              </Button>
            ))}
            <SelectField
              hideLabel
              label={t('columnFor', { field: name })}
              value=""
              options={[
                { value: '', label: t('chooseColumn') },
                ...choices.map(({ source, target }) => ({
                  value: source.key,
                  label: target
                    ? t('columnGoesTo', { column: source.label || source.key, field: names.get(target) ?? target })
                    : source.label || source.key,
                })),
              ]}
              onChange={(event) => event.target.value && onChoose(event.target.value, field.key)}
            />
          </div>
        )
      })}
    </section>
  )
}
