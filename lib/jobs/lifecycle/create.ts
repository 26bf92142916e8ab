/** Creates a job and emits its events in the caller's transaction. */
import type { CreateJob } from '../../../schemas/jobs/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { Resource } from '../../auth/load-resource.ts'
import { invalidField } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { Jobs, type NewJob, type StoredJob } from '../../entities/jobs.ts'
import { spaceNamespaces } from '../../entities/spaces.ts'
import type { Tx } from '../../tx.ts'
import { withoutUndefined } from './clone-job.ts'
import { emitJobEvents } from './events.ts'
import { createRepeatedPlanError, getCheckTime, getFirstTime } from './schedule.ts'
import { assertJobFits } from './size.ts'
import { findStep, NOT_CREATED, type Step } from './state-machine.ts'

export type JobConfig = Pick<CreateJob, 'type' | 'operation' | 'source'> &
  Partial<CreateJob> &
  Partial<Pick<NewJob, 'outcomeBy' | 'automaticRecipeId'>>

export interface JobStart {
  namespaces?: string[]
  planned?: boolean
  pendingPredecessors?: readonly StoredJob[]
  series?: string
}

interface JobAncestors {
  accountId: string
  environmentId: string
  spaceId?: string | undefined
  workbookId?: string | undefined
  sheetId?: string | undefined
  fileId?: string | undefined
  appId?: string | undefined
  namespaces?: string[] | undefined
}

/** `resource` determines the job's location and its events' context. Throws 413 for a job that is too large. */
export function createJob(tx: Tx, config: JobConfig, resource: Resource, start: JobStart = {}): NewJob {
  const immediate = isImmediate(config)
  const scheduledFor = getFirstTime(config, tx.now)
  assertSchedule(config, start, immediate)
  const pendingPredecessors = start.pendingPredecessors?.map(({ id }) => id) ?? []
  const plainTrigger = start.planned ? 'createPlanned' : 'create'
  const immediateTrigger = pendingPredecessors.length > 0 ? 'createWaiting' : 'createImmediate'
  const { to, emits } = findStep(
    NOT_CREATED,
    immediate ? immediateTrigger : scheduledFor ? 'createScheduled' : plainTrigger,
  ) as Step
  const { status: _status, ...settings } = config
  const job: NewJob = withoutUndefined({
    ...settings,
    ...getJobLocation(resource, config, start),
    series: start.series,
    pendingPredecessors: pendingPredecessors.length > 0 ? pendingPredecessors : undefined,
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
  tx.write(Jobs.create(withoutUndefined({ ...job, checkAt: getCheckTime(job) })))
  tx.write(...pendingPredecessors.map((id) => Jobs.addSuccessor(id, job.id)))
  emitJobEvents(tx, job, emits)
  return job
}

function assertSchedule({ scheduledFor, schedule }: JobConfig, { planned }: JobStart, immediate: boolean): void {
  const key = scheduledFor === undefined ? 'schedule' : 'scheduledFor'
  if (immediate && (scheduledFor ?? schedule)) throw invalidField(key, message('jobs.notWithImmediate'))
  if (planned && schedule) throw createRepeatedPlanError('schedule')
}

export const isImmediate = (config: Partial<Pick<CreateJob, 'trigger' | 'immediate'>>): boolean =>
  config.trigger === 'immediate' || config.immediate === true

function getJobLocation(resource: Resource, config: JobConfig, start: JobStart): JobAncestors {
  const ancestors = getAncestors(resource)
  return {
    ...ancestors,
    fileId: config.fileId ?? ancestors.fileId,
    namespaces: start.namespaces ?? ancestors.namespaces,
  }
}

function getAncestors(resource: Resource): JobAncestors {
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
