import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Empty, QueryView } from '../shared/ui/states.tsx'
import { ActionButtons } from './actions.tsx'
import { Welcome } from './branding.tsx'
import { DropZone } from './drop-zone.tsx'
import { FileList } from './files.tsx'
import { JobRow } from './jobs.tsx'
import { isTargetWorkbook, jobsQuery, type Sheet, type Space, type Workbook, workbooksQuery } from './queries.ts'

const MAX_JOBS = 8

export function Overview({ space }: { space: Space }) {
  const { t } = useTranslation()
  const workbooks = useQuery(workbooksQuery(space.id))
  const jobs = useQuery(jobsQuery(space.id))
  const visibleJobs = (jobs.data ?? []).filter(({ mode }) => mode !== 'hidden').slice(0, MAX_JOBS)
  return (
    <div className="page">
      <header className="page-head">
        <h1 dir="auto">{space.name}</h1>
        <ActionButtons space={space} target={{ kind: 'space', id: space.id, actions: space.actions }} />
      </header>
      <Welcome metadata={space.metadata} />
      <DropZone spaceId={space.id} />
      <section>
        <h2>{t('files')}</h2>
        <FileList space={space} />
      </section>
      <section>
        <h2>{t('sheets')}</h2>
        <QueryView query={workbooks}>
          {(all) => {
            const targets = all.filter(isTargetWorkbook)
            if (targets.length === 0) return <Empty title={t('noSheets')} />
            return targets.map((workbook) => <WorkbookCard key={workbook.id} space={space} workbook={workbook} />)
          }}
        </QueryView>
      </section>
      {visibleJobs.length > 0 && (
        <section>
          <h2>{t('jobs')}</h2>
          <ul className="rows">
            {visibleJobs.map((job) => (
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
        <ActionButtons space={space} target={{ kind: 'workbook', id: workbook.id, workbook }} />
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
  const { t } = useTranslation()
  const { total = 0, error = 0 } = sheet.recordCounts ?? {}
  return (
    <li>
      <Link href={`/s/${space.id}/sheets/${sheet.id}`} className="clip grow" dir="auto">
        {sheet.name}
      </Link>
      <span>{t('recordCount', { count: total })}</span>
      {error > 0 && <span className="badge bad">{t('errorCount', { count: error })}</span>}
      {total > 0 && error === 0 && <span className="badge good">{t('allValid')}</span>}
    </li>
  )
}
