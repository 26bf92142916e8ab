import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { Empty, QueryView } from '../shared/ui/states.tsx'
import { ActionButtons, ActionRun } from './actions.tsx'
import { Welcome } from './branding.tsx'
import { DropZone } from './drop-zone.tsx'
import { FileList } from './files.tsx'
import { Imports } from './flow/imports.tsx'
import { Needs } from './flow/needs.tsx'
import { NextStep } from './flow/next-step.tsx'
import { isMapping } from './flow/progress.ts'
import { type Submission, useProgress } from './flow/use-progress.ts'
import { JobRow } from './jobs.tsx'
import {
  type Action,
  filesQuery,
  isTargetWorkbook,
  type Job,
  jobsQuery,
  type Sheet,
  type Space,
  type Workbook,
  workbooksQuery,
} from './queries.ts'

const MAX_JOBS = 8

export function Overview({ space }: { space: Space }) {
  const { t } = useTranslation()
  const progress = useProgress(space)
  const files = useQuery(filesQuery(space.id))
  const [submitting, setSubmitting] = useState<Submission>()
  const { isLoaded, records, sheets, step, submit } = progress
  const isNew = isLoaded && files.data?.length === 0 && records === 0
  const isPromoted = step === 'review' || step === 'submit'
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 dir="auto">{space.name}</h1>
          {isNew && sheets.length > 0 && <p className="muted lead">{t('welcomeText')}</p>}
        </div>
        <div className="buttons">
          <ActionButtons
            space={space}
            target={{ kind: 'space', id: space.id, actions: space.actions }}
            except={submit?.action}
            isQuiet
          />
          {submit && !isPromoted && <Button onClick={() => setSubmitting(submit)}>{submit.action.label}</Button>}
        </div>
      </header>
      <Welcome space={space} />
      {isLoaded && <NextStep space={space} progress={progress} onSubmit={() => setSubmitting(submit)} />}
      {submitting && <ActionRun space={space} {...submitting} onEnd={() => setSubmitting(undefined)} />}
      <DropZone spaceId={space.id} isPrimary={!isLoaded || step === 'upload'} />
      {isNew && sheets.length > 0 && <Needs sheets={sheets} />}
      {!isNew && (
        <section>
          <h2>{t('files')}</h2>
          <FileList space={space} />
        </section>
      )}
      {!(isNew && sheets.length > 0) && <Workbooks space={space} submitAction={submit?.action} />}
      <Imports space={space} imports={progress.imports} />
      <Activity space={space} />
      {!isNew && sheets.length > 0 && (
        <details>
          <summary>{t('whatWeNeed')}</summary>
          <Needs sheets={sheets} />
        </details>
      )}
    </div>
  )
}

function Workbooks({ space, submitAction }: { space: Space; submitAction: Action | undefined }) {
  const { t } = useTranslation()
  const workbooks = useQuery(workbooksQuery(space.id))
  return (
    <section>
      <h2>{t('sheets')}</h2>
      <QueryView query={workbooks}>
        {(all) => {
          const targets = all.filter(isTargetWorkbook)
          if (targets.length === 0) return <Empty title={t('noSheets')} />
          return targets.map((workbook) => (
            <WorkbookCard key={workbook.id} space={space} workbook={workbook} submitAction={submitAction} />
          ))
        }}
      </QueryView>
    </section>
  )
}

/** Files and imports show the jobs that belong to them. */
const isListed = (job: Job): boolean =>
  job.mode !== 'hidden' && job.operation !== 'extract' && (!isMapping(job) || job.status === 'failed')

function Activity({ space }: { space: Space }) {
  const { t } = useTranslation()
  const jobs = useQuery(jobsQuery(space.id))
  const listed = (jobs.data ?? []).filter(isListed).slice(0, MAX_JOBS)
  if (listed.length === 0) return null
  return (
    <section>
      <h2>{t('jobs')}</h2>
      <ul className="rows">
        {listed.map((job) => (
          <JobRow key={job.id} space={space} job={job} />
        ))}
      </ul>
    </section>
  )
}

interface WorkbookProps {
  space: Space
  workbook: Workbook
  submitAction: Action | undefined
}

function WorkbookCard({ space, workbook, submitAction }: WorkbookProps) {
  return (
    <div className="card">
      <header className="card-head">
        <h3 dir="auto">{workbook.name}</h3>
        <ActionButtons
          space={space}
          target={{ kind: 'workbook', id: workbook.id, workbook }}
          except={submitAction}
          isQuiet
        />
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
