/**
 * Throttles job:updated: at most one per {@link JOB_UPDATE_MS} while the status is unchanged. The last one is never
 * lost: the next update, a status change or the timer (lib/jobs/scheduling/timeouts.ts) sends it.
 */
import { JOB_UPDATE_MS } from '../../../schemas/jobs/shape.ts'
import { lazy } from '../../core/lazy.ts'
import type { NewJob } from '../../entities/jobs.ts'
import type { JobTopic, Step, Trigger } from './state-machine.ts'

type EmitState = Pick<NewJob, 'status' | 'lastEmittedAt' | 'pendingUpdate'>

const isThrottled = ({ lastEmittedAt }: EmitState, now: string): boolean =>
  lastEmittedAt !== undefined && Math.abs(Date.parse(now) - Date.parse(lastEmittedAt)) < JOB_UPDATE_MS

export function getTopicsToEmit(
  before: EmitState,
  trigger: Trigger,
  { to, emits }: Step,
  now: string,
): readonly JobTopic[] {
  const isUpdate = to === before.status && emits.every((topic) => topic === 'job:updated')
  return isUpdate && trigger !== 'tell' && isThrottled(before, now) ? [] : emits
}

export function hasPendingUpdate(before: EmitState, { emits }: Step, topics: readonly JobTopic[]): true | undefined {
  if (emits.length === 0) return before.pendingUpdate || undefined
  return topics.length === 0 || undefined
}

export const getNextEmitTime = ({ lastEmittedAt }: Pick<NewJob, 'lastEmittedAt'>): string =>
  new Date((lastEmittedAt === undefined ? 0 : Date.parse(lastEmittedAt)) + JOB_UPDATE_MS).toISOString()

const loadInvokeAsync = lazy(() => import('../../events/invoke-async.ts'))

export async function scheduleEmit(job: Pick<NewJob, 'id' | 'lastEmittedAt'>): Promise<void> {
  const { invokePlatformFunction } = await loadInvokeAsync()
  await invokePlatformFunction('jobs-due', { jobId: job.id, time: getNextEmitTime(job) })
}
