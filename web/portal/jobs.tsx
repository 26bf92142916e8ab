/** Jobs as people see them: how far they are, how they ended, and what follows. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { api, ask, bytes as bytesOf, type Shape, save } from '../shared/api/client.ts'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { Dialog } from '../shared/ui/dialog.tsx'
import { Shown } from '../shared/ui/states.tsx'
import { toast } from '../shared/ui/toast.tsx'
import { hasEnded, type Job, jobQuery, type Space } from './data.ts'

type Outcome = Shape<'OutcomeInput'>

const outcomeOf = (job: Job): Outcome => (job.outcome ?? {}) as Outcome

export function JobRow({ space, job }: { space: Space; job: Job }) {
  const { date } = useTexts()
  const outcome = outcomeOf(job)
  return (
    <li>
      <span className="clip grow">
        {job.type}:{job.operation}
        {(outcome.message ?? job.info) && <span className="hint"> {outcome.message ?? job.info}</span>}
      </span>
      <span className="hint">{date(job.createdAt)}</span>
      <JobState job={job} />
      {hasEnded(job) && outcome.next && <Next space={space} job={job} outcome={outcome} />}
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

/** Stays open until the job has ended and its outcome was seen. */
interface Given {
  space: Space
  jobId: string
  title: string
  onClose(): void
  onCompleted?(job: Job): void
}

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
    if (job.data && hasEnded(job.data)) void api.POST('/api/v1/jobs/{jobId}/outcome/ack', path)
    onClose()
  }
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

/** Only addresses of the web: an outcome is written by whoever performed the job. */
const webAddress = (text: string): string | undefined => {
  try {
    const url = new URL(text, location.origin)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
  } catch {
    return undefined
  }
}

function Away({ url, label }: { url: string; label: string }) {
  const href = webAddress(url)
  if (!href) return null
  return (
    <a className="button primary" href={href} target="_blank" rel="noopener noreferrer">
      {label}
    </a>
  )
}

function Next({ space, job, outcome, onDone }: { space: Space; job: Job; outcome: Outcome; onDone?(): void }) {
  const { t } = useTexts()
  const [, go] = useLocation()
  const client = useQueryClient()
  const retry = useMutation({
    mutationFn: () => ask(api.POST('/api/v1/jobs/{jobId}/retry', { params: { path: { jobId: job.id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['job', job.id] }),
  })
  const { next } = outcome
  if (!next) return null
  const visit = (path: string) => () => {
    go(path)
    onDone?.()
  }
  const file = async (fileId: string, name?: string) => {
    const { data } = await ask(api.GET('/api/v1/files/{fileId}', { params: { path: { fileId } } }))
    save(await bytesOf(`/api/v1/files/${fileId}/download`), name ?? data.name)
  }
  const take = async (path: string, name = 'download') => save(await bytesOf(`/api${path}`), name)
  const told = (error: Error) => toast(error.message, 'error')
  switch (next.type) {
    case 'id':
      return (
        <Button kind="primary" onClick={visit(pathTo(space, next.id))}>
          {next.label ?? t('open')}
        </Button>
      )
    case 'download':
      // An address of the API takes the token in a header; any other is a link.
      if (next.url.startsWith('/'))
        return (
          <Button kind="primary" onClick={() => void take(next.url, next.fileName ?? undefined).catch(told)}>
            {next.label ?? t('download')}
          </Button>
        )
      return <Away url={next.url} label={next.label ?? t('download')} />
    case 'url':
      return <Away url={next.url} label={next.label ?? t('open')} />
    case 'files':
      return next.files.map((each) => (
        <Button key={each.fileId} kind="primary" onClick={() => void file(each.fileId).catch(told)}>
          {each.label ?? next.label ?? t('download')}
        </Button>
      ))
    case 'snapshot':
    case 'view':
      return (
        <Button kind="primary" onClick={visit(`/s/${space.id}/sheets/${next.sheetId}`)}>
          {('label' in next && next.label ? String(next.label) : undefined) ?? t('open')}
        </Button>
      )
    case 'retry':
      return (
        <Button busy={retry.isPending} onClick={() => retry.mutate()}>
          {next.label ?? t('again')}
        </Button>
      )
    default:
      return null
  }
}

function pathTo(space: Space, id: string): string {
  if (id.includes('_sh_')) return `/s/${space.id}/sheets/${id}`
  if (id.includes('_dc_') || id.includes('_doc_')) return `/s/${space.id}/documents/${id}`
  if (id.includes('_sp_')) return `/s/${id}`
  return `/s/${space.id}`
}
