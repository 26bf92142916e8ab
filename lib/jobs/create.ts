/** Creates a job: written and announced in the caller's unit of work. Knows no HTTP and performs nothing. */
import type { CreateJob } from '../../schemas/job.ts'
import type { Resource } from '../auth/scopes.ts'
import { invalidField } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { Jobs, type NewJob, type StoredJob } from '../entities/jobs.ts'
import { spaceNamespaces } from '../entities/spaces.ts'
import type { Tx } from '../tx.ts'
import { withoutUndefined } from './copy.ts'
import { emitJobEvents } from './events.ts'
import { NONE, type Step, step } from './machine.ts'
import { firstTime, lookAt, plannedEachTime } from './schedule.ts'
import { assertJobFits } from './size.ts'

/** A new job: its type, operation and source, and whatever else a client may say of one. */
export type JobConfig = Pick<CreateJob, 'type' | 'operation' | 'source'> &
  Partial<CreateJob> &
  Partial<Pick<NewJob, 'outcomeBy'>>

export interface JobStart {
  /** What listeners filter by, where more is known than the resource itself tells. */
  namespaces?: string[]
  /** The job's plan is written with it: it starts in planning. */
  planned?: boolean
  /** Those of its predecessors that have not completed. */
  awaits?: readonly StoredJob[]
  /** The action's series it begins. */
  series?: string
}

interface Place {
  accountId: string
  environmentId: string
  spaceId?: string | undefined
  workbookId?: string | undefined
  sheetId?: string | undefined
  fileId?: string | undefined
  appId?: string | undefined
  namespaces?: string[] | undefined
}

/**
 * Writes a job and emits job:created, job:ready when it is immediate and waits for no other, job:scheduled when it is for later.
 * @param resource what the job is about; where the job lives and its events' context come from it.
 * @returns the job as written. Throws 413 when it carries more than fits.
 */
export function createJob(tx: Tx, config: JobConfig, resource: Resource, start: JobStart = {}): NewJob {
  const immediate = isImmediate(config)
  const scheduledFor = firstTime(config, tx.now)
  checkSchedule(config, start, immediate)
  const awaits = start.awaits?.map(({ id }) => id) ?? []
  const plain = start.planned ? 'createPlanned' : 'create'
  const atOnce = awaits.length > 0 ? 'createWaiting' : 'createImmediate'
  // These rows leave `none`, so the step is always there.
  const { to, emits } = step(NONE, immediate ? atOnce : scheduledFor ? 'createScheduled' : plain) as Step
  const { status: _asked, ...given } = config
  const job: NewJob = withoutUndefined({
    ...given,
    ...placeOf(resource, config, start),
    series: start.series,
    awaits: awaits.length > 0 ? awaits : undefined,
    id: newId('job'),
    status: to,
    trigger: immediate ? 'immediate' : 'manual',
    immediate,
    mode: config.mode ?? 'foreground',
    progress: config.progress ?? 0,
    scheduledFor,
    createdBy: tx.actor.actorId,
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  assertJobFits(job)
  tx.write(Jobs.create(withoutUndefined({ ...job, lookAt: lookAt(job) })))
  tx.write(...awaits.map((id) => Jobs.awaitedBy(id, job.id)))
  emitJobEvents(tx, job, emits)
  return job
}

function checkSchedule({ scheduledFor, schedule }: JobConfig, { planned }: JobStart, immediate: boolean): void {
  const key = scheduledFor === undefined ? 'schedule' : 'scheduledFor'
  if (immediate && (scheduledFor ?? schedule)) throw invalidField(key, 'cannot be had together with an immediate start')
  if (planned && schedule) throw plannedEachTime('schedule')
}

/** Is the job to be ready as soon as it is created? */
export const isImmediate = (config: Partial<Pick<CreateJob, 'trigger' | 'immediate'>>): boolean =>
  config.trigger === 'immediate' || config.immediate === true

function placeOf(resource: Resource, config: JobConfig, start: JobStart): Place {
  const place = ancestryOf(resource)
  return { ...place, fileId: config.fileId ?? place.fileId, namespaces: start.namespaces ?? place.namespaces }
}

function ancestryOf(resource: Resource): Place {
  switch (resource.kind) {
    case 'space': {
      const { accountId, environmentId, id, appId } = resource.space
      return { accountId, environmentId, spaceId: id, appId, namespaces: spaceNamespaces(resource.space) }
    }
    case 'workbook': {
      const { accountId, environmentId, spaceId, id, namespace } = resource.workbook
      return {
        accountId,
        environmentId,
        spaceId,
        workbookId: id,
        namespaces: namespace ? [`workbook:${namespace}`] : [],
      }
    }
    case 'sheet': {
      const { accountId, environmentId, spaceId, workbookId, id, namespaces } = resource.sheet
      return { accountId, environmentId, spaceId, workbookId, sheetId: id, namespaces }
    }
    case 'file': {
      const { accountId, environmentId, spaceId, workbookId, id } = resource.file
      return { accountId, environmentId, spaceId, workbookId, fileId: id }
    }
    case 'document': {
      const { accountId, environmentId, spaceId, namespaces } = resource.document
      return { accountId, environmentId, spaceId, namespaces }
    }
    case 'agent': {
      const { accountId, environmentId } = resource.agent
      return { accountId, environmentId }
    }
  }
}
