import { Conflict, NotFound, type Wharf } from '../../sdk/src/index.ts'
import type { JobHandler, JobResult, TopicEvent } from './types.ts'

const ENDED = ['completed', 'failed', 'canceled']

type JobEvent = TopicEvent<'job:ready'>

export async function runJob(event: JobEvent, handler: JobHandler): Promise<unknown> {
  const { wharf, payload } = event
  const id = event.context.jobId
  if (!(await acknowledge(wharf, id))) return undefined
  const stop = new AbortController()
  const progress = createProgress(wharf, id, stop)
  let end: () => Promise<unknown>
  let failure: unknown
  try {
    const result = await handler({
      ...{ id, event, wharf, context: event.context },
      operation: payload.job,
      input: (payload.input ?? {}) as Record<string, unknown>,
      signal: stop.signal,
      progress: progress.report,
    })
    end = () => wharf.jobs.complete(id, { outcome: toOutcome(result ?? undefined) })
  } catch (error) {
    failure = error ?? new Error('The handler failed without an error.')
    const message = error instanceof Error ? error.message : String(error)
    end = () => wharf.jobs.fail(id, { info: message, outcome: { message, acknowledge: true } })
  }
  await progress.settle()
  if (stop.signal.aborted) return undefined
  if (failure) console.error(`The job ${id} (${payload.job}) failed:`, failure)
  await ignoreIfEnded(wharf, id, end)
  return failure
}

const toOutcome = (result: JobResult): Exclude<JobResult, string> =>
  typeof result === 'string' ? { message: result } : result

async function acknowledge(wharf: Wharf, id: string): Promise<boolean> {
  let isRunning = true
  await ignoreIfEnded(
    wharf,
    id,
    () => wharf.jobs.acknowledge(id, { progress: 0 }),
    () => {
      isRunning = false
    },
  )
  return isRunning
}

async function ignoreIfEnded(
  wharf: Wharf,
  id: string,
  request: () => Promise<unknown>,
  onEnded = () => {},
): Promise<void> {
  try {
    await request()
  } catch (error) {
    if (!(await hasEnded(wharf, id, error))) throw error
    console.log(`The job ${id} had already ended.`)
    onEnded()
  }
}

async function hasEnded(wharf: Wharf, id: string, error: unknown): Promise<boolean> {
  if (error instanceof NotFound) return true
  return error instanceof Conflict && ENDED.includes((await wharf.jobs.get(id)).status)
}

/** While a request is running, only the latest of further reports waits. */
function createProgress(wharf: Wharf, id: string, stop: AbortController) {
  let next: { progress: number; info?: string | undefined } | undefined
  let sending: Promise<void> | undefined
  const send = async (): Promise<void> => {
    try {
      for (let body = next; body; body = next) {
        next = undefined
        await wharf.jobs.acknowledge(id, body)
      }
    } catch (error) {
      if (!(await hasEnded(wharf, id, error))) throw error
      stop.abort(new Error(`The job ${id} was canceled or has ended.`))
      stop.signal.throwIfAborted()
    } finally {
      sending = undefined
    }
  }
  let lost: unknown
  return {
    async report(percent: number, info?: string): Promise<void> {
      if (!(percent >= 0 && percent <= 100)) throw new RangeError(`Progress is from 0 to 100, not ${percent}.`)
      next = { progress: percent, info }
      sending ??= send()
      sending.catch((error: unknown) => {
        lost = error
      })
      return sending
    },
    async settle(): Promise<void> {
      await sending?.catch(() => {})
      if (lost && !stop.signal.aborted) console.error(`Progress of the job ${id} was not reported:`, lost)
    },
  }
}
