/** Further changes on the way into the sheet: join and split columns, fixed values, upper and lower case. */
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { type I18n, type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Menu } from '../../shared/ui/menu.tsx'
import { formatShown } from '../sheet/cells.ts'
import { type Choice, getTransformTargets, type Target, type Transform } from './plan.ts'
import { TransformDialog } from './transform-dialog.tsx'
import type { ColumnPreview } from './use-preview.ts'

const KINDS: Record<Transform['type'], TextKey> = {
  concatenate: 'joinColumns',
  split: 'splitColumn',
  constant: 'fixedValue',
  transform: 'changeFormat',
}

interface Props {
  transforms: readonly Transform[]
  choices: readonly Choice[]
  targets: readonly Target[]
  columns: ReadonlyMap<string, ColumnPreview>
  onAdd(transform: Transform): void
  onRemove(transform: Transform): void
}

export function Transforms({ transforms, choices, targets, columns, onAdd, onRemove }: Props) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<Transform['type']>()
  return (
    <section className="transforms">
      <h2>{t('changesOnTheWay')}</h2>
      {transforms.length > 0 && (
        <ul className="rows">
          {transforms.map((transform) => (
            <TransformRow
              key={JSON.stringify(transform)}
              {...{ transform, choices, targets, columns }}
              onRemove={() => onRemove(transform)}
            />
          ))}
        </ul>
      )}
      <div>
        <Menu
          label={t('addChange')}
          entries={(Object.keys(KINDS) as Transform['type'][]).map((id) => ({
            id,
            label: t(KINDS[id]),
            run: () => setKind(id),
          }))}
        >
          <Plus aria-hidden="true" /> {t('addChange')}
        </Menu>
      </div>
      {kind && (
        <TransformDialog
          kind={kind}
          title={t(KINDS[kind])}
          choices={choices}
          targets={targets}
          onAdd={(transform) => {
            onAdd(transform)
            setKind(undefined)
          }}
          onClose={() => setKind(undefined)}
        />
      )}
    </section>
  )
}

type RowProps = Pick<Props, 'choices' | 'targets' | 'columns'> & { transform: Transform; onRemove(): void }

function TransformRow({ transform, choices, targets, columns, onRemove }: RowProps) {
  const i18n = useTranslation()
  const text = describeTransform(transform, choices, targets, i18n)
  const examples = getTransformTargets(transform).flatMap((key) => {
    const outcome = columns.get(key)
    const example = outcome?.examples.converted[0] ?? outcome?.examples.unchanged[0]
    return example ? [formatShown(example.after, i18n.t) || '—'] : []
  })
  return (
    <li aria-label={text}>
      <span className="grow" dir="auto">
        {text} {examples.length > 0 && <bdi className="hint mono">{examples.join(' · ')}</bdi>}
      </span>
      <Button kind="ghost" className="icon" aria-label={`${i18n.t('remove')}: ${text}`} onClick={onRemove}>
        <X aria-hidden="true" />
      </Button>
    </li>
  )
}

export const CASES = {
  uppercase: 'caseUpper',
  lowercase: 'caseLower',
  titlecase: 'caseTitle',
  trim: 'caseTrim',
  'collapse-spaces': 'caseSpaces',
} as const satisfies Record<string, TextKey>

interface Config {
  sourceField?: string
  sourceFields?: string[]
  destinationField?: string
  value?: unknown
  transform?: keyof typeof CASES
}

function describeTransform(
  transform: Transform,
  choices: readonly Choice[],
  targets: readonly Target[],
  { t, language }: I18n,
): string {
  const config = transform.config as Config
  const columns = new Map(choices.map(({ source }) => [source.key, source.label || source.key]))
  const fields = new Map(targets.map(({ key, label }) => [key, label || key]))
  const list = (keys: readonly string[], names: ReadonlyMap<string, string>) =>
    new Intl.ListFormat(language, { type: 'conjunction' }).format(keys.map((key) => names.get(key) ?? key))
  const field = list(getTransformTargets(transform), fields)
  switch (transform.type) {
    case 'concatenate':
      return t('joinedInto', { columns: list(config.sourceFields ?? [], columns), field })
    case 'split':
      return t('splitInto', { column: list([config.sourceField ?? ''], columns), field })
    case 'constant':
      return t('fixedAs', { field, value: String(config.value ?? '') })
    default:
      return t('formattedAs', { field, format: t(CASES[config.transform ?? 'trim']) })
  }
}
