/** Follows the actions of the guest until they end, also after their dialog or the importer was closed. */
import { type QueryClient, QueryObserver, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { type ActionReport, onActionReport } from '../portal/action-reports.ts'
import { getSheets, hasEnded, isTargetWorkbook, type Job, jobQuery, workbooksQuery } from '../portal/queries.ts'
import { postToPage } from './page-link.ts'
import type { SubmittedMessage } from './protocol.ts'

const POLL_MS = 1000

interface Options {
  spaceId: string
  stayOpen: boolean
  onSubmitted(): void
}

export interface Submissions {
  isRunning(): boolean
  report(): void
}

export function useSubmissions({ spaceId, stayOpen, onSubmitted }: Options): Submissions {
  const client = useQueryClient()
  const running = useRef(0)
  const report = useCallback(() => postToPage({ type: 'wharf:running', count: running.current }), [])
  useEffect(() => {
    const submissions = new Map<string, Promise<boolean>>()
    const changeCount = (step: number) => {
      running.current += step
      report()
    }
    const follow = async (started: Job) => {
      const job = await waitForEnd(client, started.id)
      const isCompleted = job.status === 'completed'
      if (isCompleted) {
        postToPage(await describeSubmission(client, spaceId, job))
        onSubmitted()
      }
      changeCount(-1)
      return isCompleted
    }
    const closeAfter = async (jobId: string) => {
      const job = client.getQueryData(jobQuery(jobId).queryKey)
      if (job?.status === 'completed' && (await submissions.get(jobId))) postToPage({ type: 'wharf:close' })
    }
    return onActionReport((report: ActionReport) => {
      if (report.phase === 'requested') changeCount(1)
      else if (report.phase === 'rejected') changeCount(-1)
      else if (report.phase === 'started') submissions.set(report.job.id, follow(report.job))
      else if (report.isPrimary && !stayOpen) void closeAfter(report.jobId)
    })
  }, [client, spaceId, stayOpen, onSubmitted, report])
  return useMemo(() => ({ isRunning: () => running.current > 0, report }), [report])
}

function waitForEnd(client: QueryClient, jobId: string): Promise<Job> {
  return new Promise((resolve) => {
    const observer = new QueryObserver(client, {
      ...jobQuery(jobId),
      refetchInterval: POLL_MS,
      refetchIntervalInBackground: true,
    })
    const stop = observer.subscribe(({ data }) => {
      if (!data || !hasEnded(data)) return
      resolve(data)
      setTimeout(() => stop())
    })
  })
}

async function describeSubmission(client: QueryClient, spaceId: string, job: Job): Promise<SubmittedMessage> {
  const workbooks = await client.fetchQuery({ ...workbooksQuery(spaceId), staleTime: 0 }).catch(() => [])
  const targets = getSheets(workbooks.filter(isTargetWorkbook))
  const ofSource = targets.filter(({ id, workbookId }) => id === job.source || workbookId === job.source)
  const sheets = (ofSource.length > 0 ? ofSource : targets).map(({ id, name, slug, recordCounts }) => ({
    id,
    name,
    slug: slug ?? '',
    counts: { total: recordCounts?.total ?? 0, valid: recordCounts?.valid ?? 0, error: recordCounts?.error ?? 0 },
  }))
  const sum = (name: 'total' | 'valid' | 'error') => sheets.reduce((total, { counts }) => total + counts[name], 0)
  return {
    type: 'wharf:submitted',
    jobId: job.id,
    operation: job.operation,
    counts: { total: sum('total'), valid: sum('valid'), error: sum('error') },
    sheets,
  }
}
