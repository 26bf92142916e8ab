/** One record of a clip that differs from its source, with a decision per cell. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import type { Clip, Sheet } from '../queries.ts'
import { formatCell, formatValue } from '../sheet/cells.ts'
import {
  buildDifferencesKey,
  type Choice,
  type Difference,
  decide,
  getChoice,
  getChoices,
  type Resolve,
} from './data.ts'
import './clips.css'
import { Badge } from '../../shared/ui/states.tsx'

interface Props {
  clip: Clip
  sheet: Sheet
  difference: Difference
}

const MAX_NAME_VALUES = 2

export function DifferenceRow({ clip, sheet, difference }: Props) {
  const { t } = useTranslation()
  const { fields } = sheet.config
  const name = fields
    .map((field) => formatCell(field, difference.values[field.key]?.clipValue, t))
    .filter(Boolean)
    .slice(0, MAX_NAME_VALUES)
  const isWholeRecord = difference.resolves.some(({ field }) => field === undefined)
  return (
    <li className="difference">
      <p>
        <strong dir="auto">{name.join(' · ') || difference.id}</strong>{' '}
        {isWholeRecord && <Badge>{difference.sourceRecordId ? t('clipDeletedInSource') : t('clipNew')}</Badge>}
      </p>
      {difference.resolves.map((resolve) => (
        <Decision key={resolve.field ?? ''} clip={clip} sheet={sheet} difference={difference} resolve={resolve} />
      ))}
    </li>
  )
}

const CELL_CHOICE_TEXTS: Record<Choice, TextKey> = {
  clip: 'sideClip',
  main: 'sideSource',
  snapshot: 'sideOriginal',
  restore: 'addBack',
  ignore: 'skip',
}
const RECORD_CHOICE_TEXTS: Record<Choice, TextKey> = { ...CELL_CHOICE_TEXTS, clip: 'addToSource', main: 'skip' }

function Decision({ clip, sheet, difference, resolve }: Props & { resolve: Resolve }) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const client = useQueryClient()
  const id = useId()
  const field = sheet.config.fields.find(({ key }) => key === resolve.field)
  const cell = difference.values[resolve.field ?? '']
  const values: Partial<Record<Choice, unknown>> = {
    clip: cell?.clipValue,
    main: cell?.value,
    snapshot: cell?.snapshotValue,
  }
  const saveChoice = useMutation({
    mutationFn: (choice: Choice) => decide(clip.id, difference, resolve, choice),
    onError: showError,
    onSettled: () => client.invalidateQueries({ queryKey: buildDifferencesKey(clip.id) }),
  })
  const currentChoice = saveChoice.isPending ? saveChoice.variables : getChoice(resolve)
  const texts = resolve.field === undefined ? RECORD_CHOICE_TEXTS : CELL_CHOICE_TEXTS
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="decision" role="group" aria-labelledby={id}>
      <p id={id}>
        <span dir="auto">{field?.label || resolve.field || t('record')}</span>{' '}
        {currentChoice === undefined && <Badge tone="fair">{t('conflict')}</Badge>}
      </p>
      <div className="choices">
        {getChoices(difference, resolve).map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={currentChoice === choice}
            onClick={() => saveChoice.mutate(choice)}
          >
            <span className="hint">{t(texts[choice])}</span>{' '}
            {resolve.field !== undefined && (
              <span dir="auto">
                {(field ? formatCell(field, values[choice], t) : formatValue(values[choice])) || '—'}
              </span>
            )}
          </button>
        ))}
      </div>
    </div>
  )
}
