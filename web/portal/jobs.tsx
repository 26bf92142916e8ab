/** Jobs as people see them: how far they are, how they ended, and what follows. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, ask } from '../shared/api/client.ts'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { Dialog } from '../shared/ui/dialog.tsx'
import { Shown } from '../shared/ui/states.tsx'
import { toast } from '../shared/ui/toast.tsx'
import { hasEnded, type Job, jobQuery, mayChange, type Space } from './data.ts'
import { Confetti, Next, outcomeOf, useAutomatic } from './outcome.tsx'

export function JobRow({ space, job }: { space: Space; job: Job }) {
  const { date } = useTexts()
  const outcome = outcomeOf(job)
  return (
    <li>
      <span className="clip grow" dir="auto">
        {job.type}:{job.operation}
        {(outcome.message ?? job.info) && <span className="hint"> {outcome.message ?? job.info}</span>}
      </span>
      <span className="hint">{date(job.createdAt)}</span>
      <JobState job={job} />
      {hasEnded(job) && outcome.next?.type !== 'clearFilters' && <Next space={space} job={job} outcome={outcome} />}
    </li>
  )
}

export function JobState({ job }: { job: Job }) {
  const { t } = useTexts()
  if (job.status === 'completed') return <span className="badge good">{t('jobCompleted')}</span>
  if (job.status === 'failed') return <span className="badge bad">{t('jobFailed')}</span>
  if (job.status === 'canceled') return <span className="badge">{t('jobCanceled')}</span>
  if (job.status === 'executing')
    return <progress aria-label={t('jobRunning')} value={job.progress || undefined} max={100} />
  return <span className="badge">{t('jobWaiting')}</span>
}

interface Given {
  space: Space
  jobId: string
  title: string
  onClose(): void
  onCompleted?(job: Job): void
}

/** Stays open until the job has ended and its outcome was seen; what is to follow by itself does. */
export function JobDialog({ space, jobId, title, onClose, onCompleted }: Given) {
  const { t } = useTexts()
  const job = useQuery({
    ...jobQuery(jobId),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : 2000),
  })
  const client = useQueryClient()
  const completed = job.data?.status === 'completed' ? job.data : undefined
  const told = useRef(false)
  useEffect(() => {
    if (!completed || told.current) return
    told.current = true
    onCompleted?.(completed)
  }, [completed, onCompleted])
  const path = { params: { path: { jobId } } }
  const close = () => {
    if (job.data && hasEnded(job.data) && mayChange(job.data)) void api.POST('/api/v1/jobs/{jobId}/outcome/ack', path)
    onClose()
  }
  useAutomatic(space, job.data, close)
  const cancel = useMutation({
    mutationFn: () => ask(api.POST('/api/v1/jobs/{jobId}/cancel', { ...path, body: {} })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['job', jobId] }),
    onError: (error) => toast(error.message, 'error'),
  })
  return (
    <Dialog title={(job.data && outcomeOf(job.data).heading) || title} onClose={close}>
      <Shown of={job}>
        {(found) => {
          const outcome = outcomeOf(found)
          return (
            <>
              <div className="job-state" aria-live="polite">
                <JobState job={found} />
                {outcome.next?.type === 'wait' && outcome.next.confetti && <Confetti />}
                <p dir="auto">{outcome.message ?? found.info ?? (hasEnded(found) ? '' : t('jobRunning'))}</p>
              </div>
              <div className="actions">
                {hasEnded(found) ? (
                  <>
                    {outcome.next && <Next space={space} job={found} outcome={outcome} onDone={close} />}
                    {!outcome.hideDefaultButton && (
                      <Button kind={outcome.next ? 'plain' : 'primary'} onClick={close}>
                        {outcome.buttonText ?? t('close')}
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
      </Shown>
    </Dialog>
  )
}
