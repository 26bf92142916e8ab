/** Totals, page headings and other lines of a file that are not records: left out, or imported all the same. */
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { SwitchField } from '../../shared/ui/controls.tsx'
import type { Plan } from './plan.ts'

type OtherLines = NonNullable<Plan['otherLines']>
type Group = OtherLines['lines'][number]

const KINDS: Record<Group['kind'], TextKey> = {
  total: 'linesTotal',
  'carry-over': 'linesCarriedOver',
  page: 'linesPage',
  text: 'linesText',
}

interface Props {
  otherLines: OtherLines | undefined
  onChange(leaveOut: boolean): void
}

export function OtherLinesChoice({ otherLines, onChange }: Props) {
  const { t } = useTranslation()
  if (!otherLines || otherLines.lines.length === 0) return null
  const count = otherLines.lines.reduce((sum, group) => sum + group.count, 0)
  return (
    <section className="other-lines" aria-label={t('otherLines')}>
      <div className="other-lines-head">
        <h2>{t('otherLinesFound', { count })}</h2>
        <SwitchField
          label={t('leaveLinesOut')}
          checked={otherLines.leaveOut}
          onChange={({ target }) => onChange(target.checked)}
        />
      </div>
      <p className="hint">{t(otherLines.leaveOut ? 'linesLeftOut' : 'linesImported')}</p>
      <ul className="line-groups">
        {otherLines.lines.map((group) => (
          <LineGroup key={group.kind} group={group} />
        ))}
      </ul>
    </section>
  )
}

function LineGroup({ group: { kind, count, examples } }: { group: Group }) {
  const { t, number } = useTranslation()
  return (
    <li>
      <strong>{t(KINDS[kind], { count })}</strong>
      {examples.map(({ row, cells }) => (
        <span key={row} className="line-example">
          <span className="hint">{t('rowNumber', { row: number(row) })}</span>{' '}
          <bdi>{cells.filter(Boolean).join(' · ')}</bdi>
        </span>
      ))}
    </li>
  )
}
