/** A record of a clip that is not what its source has: the values of both, and what becomes of each. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { type TextKey, useTexts } from '../../shared/texts/texts.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Clip, Sheet } from '../data.ts'
import { shownOf, textOf } from '../sheet/cells.ts'
import { type Choice, choiceOf, choicesOf, type Difference, decide, differencesKey, type Resolve } from './data.ts'

interface Given {
  clip: Clip
  sheet: Sheet
  difference: Difference
}

/** Values that name a record. */
const NAMING = 2

export function DifferenceRow({ clip, sheet, difference }: Given) {
  const { t } = useTexts()
  const { fields } = sheet.config
  const name = fields
    .map((field) => shownOf(field, difference.values[field.key]?.clipValue))
    .filter(Boolean)
    .slice(0, NAMING)
  const isWhole = difference.resolves.some(({ field }) => field === undefined)
  return (
    <li className="difference">
      <p>
        <strong dir="auto">{name.join(' · ') || difference.id}</strong>{' '}
        {isWhole && <span className="badge">{difference.sourceRecordId ? t('clipGone') : t('clipNew')}</span>}
      </p>
      {difference.resolves.map((resolve) => (
        <Decision key={resolve.field ?? ''} clip={clip} sheet={sheet} difference={difference} resolve={resolve} />
      ))}
    </li>
  )
}

const OF_CELLS: Record<Choice, TextKey> = {
  clip: 'sideClip',
  main: 'sideSource',
  snapshot: 'asCopied',
  restore: 'addAgain',
  ignore: 'leaveOut',
}
const OF_RECORDS: Record<Choice, TextKey> = { ...OF_CELLS, clip: 'takeOver', main: 'leaveOut' }

function Decision({ clip, sheet, difference, resolve }: Given & { resolve: Resolve }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const id = useId()
  const field = sheet.config.fields.find(({ key }) => key === resolve.field)
  const cell = difference.values[resolve.field ?? '']
  const values: Partial<Record<Choice, unknown>> = {
    clip: cell?.clipValue,
    main: cell?.value,
    snapshot: cell?.snapshotValue,
  }
  const take = useMutation({
    mutationFn: (choice: Choice) => decide(clip.id, difference, resolve, choice),
    onError: (error) => toast(error.message, 'error'),
    // What was pressed stays so until the answer stands here.
    onSettled: () => client.invalidateQueries({ queryKey: differencesKey(clip.id) }),
  })
  const chosen = take.isPending ? take.variables : choiceOf(resolve)
  const texts = resolve.field === undefined ? OF_RECORDS : OF_CELLS
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="decision" role="group" aria-labelledby={id}>
      <p id={id}>
        <span dir="auto">{field?.label || resolve.field || t('record')}</span>{' '}
        {chosen === undefined && <span className="badge fair">{t('conflict')}</span>}
      </p>
      <div className="choices">
        {choicesOf(difference, resolve).map((choice) => (
          <button key={choice} type="button" aria-pressed={chosen === choice} onClick={() => take.mutate(choice)}>
            <span className="hint">{t(texts[choice])}</span>{' '}
            {resolve.field !== undefined && (
              <span dir="auto">{(field ? shownOf(field, values[choice]) : textOf(values[choice])) || '—'}</span>
            )}
          </button>
        ))}
      </div>
    </div>
  )
}
