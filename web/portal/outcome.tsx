/** The next step of a finished job's outcome, as a button or automatically. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { isWebAddress, parseOwnDownload } from '../../schemas/jobs/own-download.ts'
import { api, fetchBlob, type Shape, saveBlob, unwrap } from '../shared/api/client.ts'
import { type I18n, useTranslation } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { useErrorToast } from '../shared/ui/errors.ts'
import { toast } from '../shared/ui/toast.tsx'
import {
  canChangeJob,
  canRunNextAutomatically,
  hasEnded,
  type Job,
  type Space,
  type Workbook,
  workbooksQuery,
} from './queries.ts'
import { setSheetView } from './sheet-view-state.ts'
import './outcome.css'

export type Outcome = Shape<'OutcomeInput'>
type NextShape = NonNullable<Outcome['next']>

export const getOutcome = (job: Job): Outcome => (job.outcome ?? {}) as Outcome

export const describeJob = (job: Job, { translate }: Pick<I18n, 'translate'>): string =>
  translate(getOutcome(job).message ?? job.info ?? '')

const FADE_MS = 4000

/** Web URLs only: any agent can write an outcome. */
function parseWebUrl(text: string): URL | undefined {
  const url = URL.canParse(text, location.origin) ? new URL(text, location.origin) : undefined
  return url && isWebAddress(url.href) ? url : undefined
}

function ExternalLink({ url, label }: { url: string; label: string }) {
  const parsedUrl = parseWebUrl(url)
  if (!parsedUrl) return null
  return (
    <a className="button primary" href={parsedUrl.href} target="_blank" rel="noopener noreferrer">
      {label}
      {parsedUrl.origin !== location.origin && <small dir="ltr">{parsedUrl.host}</small>}
    </a>
  )
}

async function downloadFile(fileId: string, name?: string): Promise<void> {
  const { data } = await unwrap(api.GET('/api/v1/files/{fileId}', { params: { path: { fileId } } }))
  saveBlob(await fetchBlob(`/api/v1/files/${fileId}/download`), name ?? data.name)
}

function useNextAction(space: Space): (next: NextShape) => (() => void) | undefined {
  const [path, navigate] = useLocation()
  const showError = useErrorToast()
  const workbooks = useQuery(workbooksQuery(space.id))
  const getSheetPath = (sheetId: string) => `/s/${space.id}/sheets/${sheetId}`
  return (next) => {
    switch (next.type) {
      case 'id':
        return () => navigate(getResourcePath(space, workbooks.data ?? [], next.id))
      case 'download': {
        // Only the platform's own downloads are fetched with the token; any other URL is a link.
        const path = parseOwnDownload(next.url)
        if (!path) return undefined
        return () =>
          void fetchBlob(`/api${path}`)
            .then((blob) => saveBlob(blob, next.fileName ?? 'download'))
            .catch(showError)
      }
      case 'snapshot':
        return () => {
          setSheetView(next.sheetId, { snapshotId: next.snapshotId })
          navigate(getSheetPath(next.sheetId))
        }
      case 'view':
        return () => {
          setSheetView(next.sheetId, { hidden: next.hiddenColumns })
          navigate(getSheetPath(next.sheetId))
        }
      case 'clearFilters':
        return () => {
          if (!next.sheetIds || next.sheetIds.some((sheetId) => path === getSheetPath(sheetId))) navigate(path)
        }
      default:
        return undefined
    }
  }
}

interface Props {
  space: Space
  job: Job
  outcome: Outcome
  onDone?(): void
}

export function NextButton({ space, job, outcome, onDone }: Props) {
  const { t, translate } = useTranslation()
  const showError = useErrorToast()
  const client = useQueryClient()
  const getNextAction = useNextAction(space)
  const retry = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/jobs/{jobId}/retry', { params: { path: { jobId: job.id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['job', job.id] }),
    onError: showError,
  })
  const { next } = outcome
  if (!next) return null
  const label = 'label' in next && next.label ? translate(String(next.label)) : undefined
  switch (next.type) {
    case 'url':
      return <ExternalLink url={next.url} label={label ?? t('open')} />
    case 'files':
      return next.files.map((item) => (
        <Button key={item.fileId} kind="primary" onClick={() => void downloadFile(item.fileId).catch(showError)}>
          {item.label ? translate(item.label) : (label ?? t('download'))}
        </Button>
      ))
    case 'retry':
      if (!canChangeJob(job)) return null
      return (
        <Button busy={retry.isPending} onClick={() => retry.mutate()}>
          {label ?? t('tryAgain')}
        </Button>
      )
    case 'wait':
      return null
    default: {
      const run = getNextAction(next)
      if (!run)
        return next.type === 'download' && isWebAddress(next.url) ? (
          <ExternalLink url={next.url} label={label ?? t('download')} />
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

/** Runs the next step without a click, but never opens external pages: any agent can write an outcome. */
export function useAutomaticNext(space: Space, job: Job | undefined, close: () => void): void {
  const { translate } = useTranslation()
  const getNextAction = useNextAction(space)
  const hasRun = useRef(false)
  const endedJob = job && hasEnded(job) ? job : undefined
  const latest = useRef({ close, getNextAction, translate })
  latest.current = { close, getNextAction, translate }
  useEffect(() => {
    if (!endedJob || hasRun.current) return
    const { next, message, trigger: configuredTrigger } = getOutcome(endedJob)
    if (!next) return
    if (next.type === 'wait' && next.fade) {
      const timer = setTimeout(() => latest.current.close(), FADE_MS)
      return () => clearTimeout(timer)
    }
    const trigger = typeof configuredTrigger === 'object' ? configuredTrigger?.type : configuredTrigger
    const run = latest.current.getNextAction(next)
    if (!run || !trigger || trigger === 'manual' || !canRunNextAutomatically(endedJob)) return
    hasRun.current = true
    run()
    if (trigger === 'automatic' && message) toast(latest.current.translate(message))
    latest.current.close()
  }, [endedJob])
}

const CONFETTI_PIECES = Array.from({ length: 24 }, (_, index) => index)

export const Confetti = () => (
  <div className="confetti" aria-hidden="true">
    {CONFETTI_PIECES.map((index) => (
      <i key={index} />
    ))}
  </div>
)

function getResourcePath(space: Space, workbooks: readonly Workbook[], id: string): string {
  const [firstSheet] = workbooks.find((item) => item.id === id)?.sheets ?? []
  if (firstSheet) return `/s/${space.id}/sheets/${firstSheet.id}`
  if (id.includes('_sh_')) return `/s/${space.id}/sheets/${id}`
  if (id.includes('_dc_') || id.includes('_doc_')) return `/s/${space.id}/documents/${id}`
  if (id.includes('_sp_')) return `/s/${id}`
  if (id.includes('_fl_')) return `/s/${space.id}/files`
  return `/s/${space.id}`
}
