/** What follows a job that has ended, as its outcome says: offered as a button, or done by itself. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { isWebAddress, ownDownload } from '../../schemas/own-download.ts'
import { api, ask, bytes as bytesOf, type Shape, save } from '../shared/api/client.ts'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { toast } from '../shared/ui/toast.tsx'
import { hasEnded, type Job, mayChange, mayStartAlone, type Space, type Workbook, workbooksQuery } from './data.ts'
import { clearFilters, show } from './showing.ts'

export type Outcome = Shape<'OutcomeInput'>
type NextShape = NonNullable<Outcome['next']>

export const outcomeOf = (job: Job): Outcome => (job.outcome ?? {}) as Outcome

/** How long an outcome that fades is shown. */
const FADE_MS = 4000

/** Only addresses of the web: an outcome is written by whoever performed the job. */
function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text, location.origin) ? new URL(text, location.origin) : undefined
  return url && isWebAddress(url.href) ? url : undefined
}

/** A link that leads out of the application says where. */
function Away({ url, label }: { url: string; label: string }) {
  const address = webAddress(url)
  if (!address) return null
  return (
    <a className="button primary" href={address.href} target="_blank" rel="noopener noreferrer">
      {label}
      {address.origin !== location.origin && <small dir="ltr">{address.host}</small>}
    </a>
  )
}

const told = (error: Error) => toast(error.message, 'error')

async function takeFile(fileId: string, name?: string): Promise<void> {
  const { data } = await ask(api.GET('/api/v1/files/{fileId}', { params: { path: { fileId } } }))
  save(await bytesOf(`/api/v1/files/${fileId}/download`), name ?? data.name)
}

/** What is done without leaving the application; none for what leads out of it, and for what is nothing to do. */
function useDoing(space: Space): (next: NextShape) => (() => void) | undefined {
  const [, go] = useLocation()
  const workbooks = useQuery(workbooksQuery(space.id))
  const sheet = (sheetId: string) => `/s/${space.id}/sheets/${sheetId}`
  return (next) => {
    switch (next.type) {
      case 'id':
        return () => go(pathTo(space, workbooks.data ?? [], next.id))
      case 'download': {
        // Only the platform's own downloads are fetched with the token; any other address is a link.
        const path = ownDownload(next.url)
        if (!path) return undefined
        return () =>
          void bytesOf(`/api${path}`)
            .then((found) => save(found, next.fileName ?? 'download'))
            .catch(told)
      }
      case 'snapshot':
        return () => {
          show(next.sheetId, { snapshotId: next.snapshotId })
          go(sheet(next.sheetId))
        }
      case 'view':
        return () => {
          show(next.sheetId, { hidden: next.hiddenColumns })
          go(sheet(next.sheetId))
        }
      case 'clearFilters':
        return () => clearFilters(next.sheetIds)
      default:
        return undefined
    }
  }
}

interface Given {
  space: Space
  job: Job
  outcome: Outcome
  onDone?(): void
}

export function Next({ space, job, outcome, onDone }: Given) {
  const { t } = useTexts()
  const client = useQueryClient()
  const doing = useDoing(space)
  const retry = useMutation({
    mutationFn: () => ask(api.POST('/api/v1/jobs/{jobId}/retry', { params: { path: { jobId: job.id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['job', job.id] }),
    onError: told,
  })
  const { next } = outcome
  if (!next) return null
  const label = 'label' in next && next.label ? String(next.label) : undefined
  switch (next.type) {
    case 'url':
      return <Away url={next.url} label={label ?? t('open')} />
    case 'files':
      return next.files.map((each) => (
        <Button key={each.fileId} kind="primary" onClick={() => void takeFile(each.fileId).catch(told)}>
          {each.label ?? label ?? t('download')}
        </Button>
      ))
    case 'retry':
      if (!mayChange(job)) return null
      return (
        <Button busy={retry.isPending} onClick={() => retry.mutate()}>
          {label ?? t('again')}
        </Button>
      )
    case 'wait':
      return null
    default: {
      const run = doing(next)
      if (!run)
        return next.type === 'download' && isWebAddress(next.url) ? (
          <Away url={next.url} label={label ?? t('download')} />
        ) : null
      const click = () => {
        run()
        if (next.type !== 'download') onDone?.()
      }
      return (
        <Button kind="primary" onClick={click}>
          {label ?? t(next.type === 'download' ? 'download' : next.type === 'clearFilters' ? 'showAll' : 'open')}
        </Button>
      )
    }
  }
}

/**
 * Does what follows without a click where the outcome's trigger says so and its giver is trusted, and closes. Nothing leads out of
 * the application this way: browsers refuse such windows, and the outcome is written by whoever performed the job.
 */
export function useAutomatic(space: Space, job: Job | undefined, close: () => void): void {
  const doing = useDoing(space)
  const done = useRef(false)
  const ended = job && hasEnded(job) ? job : undefined
  const latest = useRef({ close, doing })
  latest.current = { close, doing }
  useEffect(() => {
    if (!ended || done.current) return
    const { next, message, trigger: given } = outcomeOf(ended)
    if (!next) return
    if (next.type === 'wait' && next.fade) {
      const timer = setTimeout(() => latest.current.close(), FADE_MS)
      return () => clearTimeout(timer)
    }
    const trigger = typeof given === 'object' ? given?.type : given
    const run = latest.current.doing(next)
    if (!run || !trigger || trigger === 'manual' || !mayStartAlone(ended)) return
    done.current = true
    run()
    if (trigger === 'automatic' && message) toast(message)
    latest.current.close()
  }, [ended])
}

const PIECES = Array.from({ length: 24 }, (_, at) => at)

/** For the eye alone, and for nobody who wants less motion. */
export const Confetti = () => (
  <div className="confetti" aria-hidden="true">
    {PIECES.map((at) => (
      <i key={at} />
    ))}
  </div>
)

function pathTo(space: Space, workbooks: readonly Workbook[], id: string): string {
  const [first] = workbooks.find((each) => each.id === id)?.sheets ?? []
  if (first) return `/s/${space.id}/sheets/${first.id}`
  if (id.includes('_sh_')) return `/s/${space.id}/sheets/${id}`
  if (id.includes('_dc_') || id.includes('_doc_')) return `/s/${space.id}/documents/${id}`
  if (id.includes('_sp_')) return `/s/${id}`
  if (id.includes('_fl_')) return `/s/${space.id}/files`
  return `/s/${space.id}`
}
