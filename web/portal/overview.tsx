/** A space at a glance: what to do, what is being done, where data is. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useTexts } from '../shared/texts/texts.tsx'
import { Empty, Shown } from '../shared/ui/states.tsx'
import { ActionButtons } from './actions.tsx'
import { isTarget, jobsQuery, type Sheet, type Space, type Workbook, workbooksQuery } from './data.ts'
import { Drop } from './drop.tsx'
import { FileList } from './files.tsx'
import { JobRow } from './jobs.tsx'

const SHOWN_JOBS = 8

export function Overview({ space }: { space: Space }) {
  const { t } = useTexts()
  const workbooks = useQuery(workbooksQuery(space.id))
  const jobs = useQuery(jobsQuery(space.id))
  const running = (jobs.data ?? []).filter(({ mode }) => mode !== 'hidden').slice(0, SHOWN_JOBS)
  return (
    <div className="page">
      <header className="page-head">
        <h1 dir="auto">{space.name}</h1>
        <ActionButtons space={space} place={{ kind: 'space', id: space.id, actions: space.actions }} />
      </header>
      <Drop spaceId={space.id} />
      <section>
        <h2>{t('files')}</h2>
        <FileList space={space} />
      </section>
      <section>
        <h2>{t('sheets')}</h2>
        <Shown of={workbooks}>
          {(all) => {
            const targets = all.filter(isTarget)
            if (targets.length === 0) return <Empty title={t('noSheets')} />
            return targets.map((each) => <WorkbookCard key={each.id} space={space} workbook={each} />)
          }}
        </Shown>
      </section>
      {running.length > 0 && (
        <section>
          <h2>{t('jobs')}</h2>
          <ul className="rows">
            {running.map((job) => (
              <JobRow key={job.id} space={space} job={job} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function WorkbookCard({ space, workbook }: { space: Space; workbook: Workbook }) {
  return (
    <div className="card">
      <header className="card-head">
        <h3 dir="auto">{workbook.name}</h3>
        <ActionButtons space={space} place={{ kind: 'workbook', id: workbook.id, workbook }} />
      </header>
      <ul className="rows">
        {(workbook.sheets ?? []).map((sheet) => (
          <SheetRow key={sheet.id} space={space} sheet={sheet} />
        ))}
      </ul>
    </div>
  )
}

function SheetRow({ space, sheet }: { space: Space; sheet: Sheet }) {
  const { t, number } = useTexts()
  const { total = 0, error = 0 } = sheet.recordCounts ?? {}
  return (
    <li>
      <Link href={`/s/${space.id}/sheets/${sheet.id}`} className="clip grow" dir="auto">
        {sheet.name}
      </Link>
      <span>{t('recordCount', { count: number(total) })}</span>
      {error > 0 && <span className="badge bad">{t('errorCount', { count: number(error) })}</span>}
      {total > 0 && error === 0 && <span className="badge good">{t('allValid')}</span>}
    </li>
  )
}
