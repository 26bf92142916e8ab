import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, FileCheck, FileSearch, type LucideIcon, PartyPopper } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { describeJob } from '../outcome.tsx'
import { type File, filesQuery, type Job, jobsQuery, type Sheet, type Space } from '../queries.ts'
import { formatAddress } from '../sheet/address.ts'
import { DuplicateRecords } from './duplicates.tsx'
import { MissingRecords } from './missing.tsx'
import { useStartImport } from './start-import.tsx'
import { usePersonName } from './use-person-name.ts'
import { needsValidRecords, type SpaceProgress } from './use-progress.ts'

interface Props {
  space: Space
  progress: SpaceProgress
  onSubmit(): void
}

export function NextStep({ space, progress, onSubmit }: Props) {
  switch (progress.step) {
    case 'upload':
      return progress.readingFile ? <Reading space={space} file={progress.readingFile} /> : null
    case 'match':
      return progress.openMapping ? (
        <OpenMapping space={space} job={progress.openMapping} />
      ) : (
        <WaitingFile space={space} file={progress.waitingFiles[0]!} />
      )
    case 'review':
      return <Errors space={space} progress={progress} onSubmit={onSubmit} />
    case 'submit':
      return <Valid progress={progress} onSubmit={onSubmit} />
    default:
      return <Submitted space={space} job={progress.submission!} progress={progress} />
  }
}

function Card(props: {
  Icon: LucideIcon
  tone?: 'good' | 'bad'
  title: string
  text?: ReactNode
  children?: ReactNode
}) {
  const { Icon, tone = '', title, text, children } = props
  return (
    <section className={`next-step ${tone}`} aria-label={title}>
      <Icon aria-hidden="true" />
      <div className="next-step-text">
        <h2 dir="auto">{title}</h2>
        {text && <div className="muted">{text}</div>}
      </div>
      {children && <div className="buttons">{children}</div>}
    </section>
  )
}

function Reading({ space, file }: { space: Space; file: File }) {
  const { t } = useTranslation()
  const jobs = useQuery(jobsQuery(space.id))
  const extraction = jobs.data?.find(({ source, operation }) => source === file.id && operation === 'extract')
  return (
    <Card
      Icon={FileSearch}
      title={t('readingFile', { name: file.name })}
      text={<progress className="wide" aria-label={t('fileReading')} value={extraction?.progress} max={100} />}
    />
  )
}

function WaitingFile({ space, file }: { space: Space; file: File }) {
  const { t } = useTranslation()
  const { start, isPending, dialog } = useStartImport(space)
  return (
    <Card Icon={FileCheck} title={t('fileIsReady', { name: file.name })} text={t('fileIsReadyText')}>
      <Button kind="primary" busy={isPending} onClick={() => start(file)}>
        {t('matchColumns')}
      </Button>
      {dialog}
    </Card>
  )
}

function OpenMapping({ space, job }: { space: Space; job: Job }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const showError = useErrorToast()
  const client = useQueryClient()
  const files = useQuery(filesQuery(space.id))
  const file = files.data?.find(({ id, workbookId }) => id === job.fileId || workbookId === job.source)
  const discard = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/v1/jobs/{jobId}/cancel', { params: { path: { jobId: job.id } }, body: {} })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs', space.id] }),
    onError: showError,
  })
  return (
    <Card Icon={FileCheck} title={t('openMapping', { name: file?.name ?? '' })} text={t('openMappingText')}>
      <Button busy={discard.isPending} onClick={() => discard.mutate()}>
        {t('discard')}
      </Button>
      <Button kind="primary" onClick={() => navigate(`/s/${space.id}/map/${job.id}`)}>
        {t('continueMatching')}
      </Button>
    </Card>
  )
}

function Errors({ space, progress, onSubmit }: Props) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const { errors, submit, sheets } = progress
  const blocking = submit && needsValidRecords(submit) ? countErrors(submit.workbook?.sheets ?? []) : 0
  const isBlocked = blocking > 0
  const withErrors = sheets.filter(({ recordCounts }) => (recordCounts?.error ?? 0) > 0)
  const show = (sheet: Sheet) => navigate(`/s/${space.id}/sheets/${sheet.id}${formatAddress({ filter: 'error' })}`)
  return (
    <>
      <Card
        Icon={CircleAlert}
        tone="bad"
        title={t(isBlocked ? 'fixBeforeSubmit' : 'rowsWithErrors', { count: isBlocked ? blocking : errors })}
        text={t('fixText')}
      >
        {submit && !isBlocked && <Button onClick={onSubmit}>{submit.action.label}</Button>}
        {withErrors.map((sheet, index) => (
          <Button key={sheet.id} kind={index === 0 ? 'primary' : 'plain'} onClick={() => show(sheet)}>
            {withErrors.length > 1 ? t('showErrorsIn', { sheet: sheet.name }) : t('showErrors')}
          </Button>
        ))}
      </Card>
      {withErrors.map((sheet) => (
        <Fragment key={sheet.id}>
          <MissingRecords sheet={sheet} sheets={sheets} />
          <DuplicateRecords sheet={sheet} />
        </Fragment>
      ))}
    </>
  )
}

const countErrors = (sheets: readonly Sheet[]): number =>
  sheets.reduce((sum, { recordCounts }) => sum + (recordCounts?.error ?? 0), 0)

function Valid({ progress: { records, submit }, onSubmit }: Omit<Props, 'space'>) {
  const { t } = useTranslation()
  return (
    <Card
      Icon={CircleCheck}
      tone="good"
      title={t('allRowsValid', { count: records })}
      text={t(submit ? 'readyToSubmit' : 'nothingLeft')}
    >
      {submit && (
        <Button kind="primary" onClick={onSubmit}>
          {submit.action.label}
        </Button>
      )}
    </Card>
  )
}

function Submitted({ space, job, progress }: Omit<Props, 'onSubmit'> & { job: Job }) {
  const i18n = useTranslation()
  const { t, date } = i18n
  const files = useQuery(filesQuery(space.id))
  const getName = usePersonName(space)
  const name = getName(job.createdBy)
  const facts = [
    t('recordCount', { count: progress.records }),
    t('fileCount', { count: files.data?.length ?? 0 }),
    name
      ? t('submittedBy', { name, time: date(job.finishedAt ?? job.updatedAt) })
      : date(job.finishedAt ?? job.updatedAt),
  ]
  return (
    <Card
      Icon={PartyPopper}
      tone="good"
      title={t('submitted')}
      text={
        <>
          <p>{facts.join(' · ')}</p>
          {describeJob(job, i18n) && <p dir="auto">{describeJob(job, i18n)}</p>}
          <p>{t('whatComesNext')}</p>
        </>
      }
    />
  )
}
