/** The steps of an import, in place of the sidebar. */
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { type TextKey, useTranslation } from '../shared/texts/texts.tsx'
import { ActionButtons } from './actions.tsx'
import { getSheets, isTargetWorkbook, type Space, workbooksQuery } from './queries.ts'
import './wizard-steps.css'

const STEPS = [
  { name: 'upload', path: '' },
  { name: 'stepMatch', path: '/map/' },
  { name: 'stepReview', path: '/sheets/' },
] as const satisfies readonly { name: TextKey; path: string }[]

export function WizardSteps({ space }: { space: Space }) {
  const { t } = useTranslation()
  const [path] = useLocation()
  const workbooks = (useQuery(workbooksQuery(space.id)).data ?? []).filter(isTargetWorkbook)
  const sheets = getSheets(workbooks)
  const filled = sheets.find(({ recordCounts }) => recordCounts?.total)
  const home = `/s/${space.id}`
  const current = STEPS.findLastIndex((step) => path.startsWith(home + step.path))
  const links = [home, undefined, filled && `${home}/sheets/${filled.id}`]
  return (
    <header className="steps">
      <nav aria-label={t('steps')}>
        <ol>
          {STEPS.map(({ name }, index) => (
            <li key={name} className={index < current ? 'done' : ''}>
              <Step label={t(name)} number={index + 1} to={links[index]} isCurrent={index === current} />
            </li>
          ))}
        </ol>
      </nav>
      {current === STEPS.length - 1 && (
        <div className="buttons">
          {workbooks.map((workbook) => (
            <ActionButtons
              key={workbook.id}
              space={space}
              target={{ kind: 'workbook', id: workbook.id, workbook }}
              primaryOnly
            />
          ))}
          <ActionButtons space={space} target={{ kind: 'space', id: space.id, actions: space.actions }} primaryOnly />
        </div>
      )}
      {current === STEPS.length - 1 && sheets.length > 1 && (
        <nav className="sheet-tabs" aria-label={t('sheets')}>
          {sheets.map(({ id, name }) => (
            <Link
              key={id}
              href={`${home}/sheets/${id}`}
              className="item"
              aria-current={path === `${home}/sheets/${id}` ? 'page' : undefined}
              dir="auto"
            >
              {name}
            </Link>
          ))}
        </nav>
      )}
    </header>
  )
}

interface StepProps {
  label: string
  number: number
  to: string | undefined
  isCurrent: boolean
}

function Step({ label, number, to, isCurrent }: StepProps) {
  const { number: format } = useTranslation()
  const content = (
    <>
      <span className="step-number" aria-hidden="true">
        {format(number)}
      </span>
      {label}
    </>
  )
  if (isCurrent) return <span aria-current="step">{content}</span>
  return to ? <Link href={to}>{content}</Link> : <span>{content}</span>
}
