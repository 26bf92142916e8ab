import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../shared/api/client.ts'
import { type I18n, type TextKey, useTranslation } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { Dialog } from '../shared/ui/dialog.tsx'
import { useErrorToast } from '../shared/ui/errors.ts'
import { Badge, QueryView } from '../shared/ui/states.tsx'
import { findActionLabel } from './available-actions.ts'
import { Confetti, describeJob, getOutcome, NextButton, useAutomaticNext } from './outcome.tsx'
import { actionsQuery, canChangeJob, hasEnded, type Job, jobQuery, type Space, workbooksQuery } from './queries.ts'

export function JobRow({ space, job }: { space: Space; job: Job }) {
  const i18n = useTranslation()
  const outcome = getOutcome(job)
  const workbooks = useQuery(workbooksQuery(space.id)).data ?? []
  const standAlone = useQuery(actionsQuery(space.id)).data ?? []
  const title = findActionLabel(job.operation, { space, standAlone, workbooks }) ?? titleOf(job, i18n)
  const description = describeJob(job, i18n)
  return (
    <li>
      <span className="clip grow">
        <bdi>{title}</bdi> <bdi className="hint">{description}</bdi>
      </span>
      <span className="hint">{i18n.date(job.createdAt)}</span>
      <JobState job={job} />
      {hasEnded(job) && outcome.next?.type !== 'clearFilters' && (
        <NextButton space={space} job={job} outcome={outcome} />
      )}
    </li>
  )
}

const TITLES: Record<string, TextKey> = {
  configure: 'jobConfigure',
  'delete-records': 'jobDeleteRecords',
  'edit-values': 'jobEditValues',
  export: 'jobExport',
  extract: 'jobExtract',
  'find-replace': 'jobFindReplace',
  map: 'jobMap',
  'mutate-records': 'jobMutateRecords',
}

/** The platform's operations have a name in plain words, those of listeners the one they were given. */
export function titleOf({ operation, label }: Job & { label?: string | null }, { t }: Pick<I18n, 't'>): string {
  if (label) return label
  const known = TITLES[operation]
  return known ? t(known) : operation
}

export function JobState({ job }: { job: Job }) {
  const { t } = useTranslation()
  if (job.status === 'completed') return <Badge tone="good">{t('jobCompleted')}</Badge>
  if (job.status === 'failed') return <Badge tone="bad">{t('jobFailed')}</Badge>
  if (job.status === 'canceled') return <Badge>{t('jobCanceled')}</Badge>
  if (job.status === 'executing')
    return <progress aria-label={t('jobRunning')} value={job.progress || undefined} max={100} />
  return <Badge>{t('jobWaiting')}</Badge>
}

interface Props {
  space: Space
  jobId: string
  title: string
  onClose(): void
}

export function JobDialog({ space, jobId, title, onClose }: Props) {
  const i18n = useTranslation()
  const { t, translate } = i18n
  const showError = useErrorToast()
  const job = useQuery({
    ...jobQuery(jobId),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : 2000),
  })
  const client = useQueryClient()
  const path = { params: { path: { jobId } } }
  const close = () => {
    if (job.data && hasEnded(job.data) && canChangeJob(job.data))
      void api.POST('/api/v1/jobs/{jobId}/outcome/ack', path)
    onClose()
  }
  useAutomaticNext(space, job.data, close)
  const cancel = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/jobs/{jobId}/cancel', { ...path, body: {} })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['job', jobId] }),
    onError: showError,
  })
  return (
    <Dialog title={translate((job.data && getOutcome(job.data).heading) || title)} onClose={close}>
      <QueryView query={job}>
        {(currentJob) => {
          const outcome = getOutcome(currentJob)
          return (
            <>
              <div className="job-state" aria-live="polite">
                <JobState job={currentJob} />
                {outcome.next?.type === 'wait' && outcome.next.confetti && <Confetti />}
                <p dir="auto">{describeJob(currentJob, i18n) || (hasEnded(currentJob) ? '' : t('jobRunning'))}</p>
              </div>
              <div className="actions">
                {hasEnded(currentJob) ? (
                  <>
                    {outcome.next && <NextButton space={space} job={currentJob} outcome={outcome} onDone={close} />}
                    {!outcome.hideDefaultButton && (
                      <Button kind={outcome.next ? 'plain' : 'primary'} onClick={close}>
                        {outcome.buttonText ? translate(outcome.buttonText) : t('close')}
                      </Button>
                    )}
                  </>
                ) : (
                  <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
                    {t('cancelJob')}
                  </Button>
                )}
              </div>
            </>
          )
        }}
      </QueryView>
    </Dialog>
  )
}
