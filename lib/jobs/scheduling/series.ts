/** Keeps the job series of scheduled actions in sync. Idempotent: everything derives from stored state. */
import type { Action } from '../../../schemas/actions/shape.ts'
import type { JobSchedule } from '../../../schemas/jobs/schedule.ts'
import type { CreateJob } from '../../../schemas/jobs/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { loadScope, type Resource } from '../../auth/load-resource.ts'
import type { Principal } from '../../auth/principal.ts'
import { ApiError } from '../../core/errors.ts'
import { parseKind } from '../../core/ids.ts'
import { Actions as StandAlone } from '../../entities/actions.ts'
import { Jobs } from '../../entities/jobs.ts'
import { Series, type StoredSeries } from '../../entities/series.ts'
import { retryOnConflict } from '../../table/transact.ts'
import { type Actor, begin, type Tx } from '../../tx.ts'
import { withDefaults } from '../actions/input.ts'
import { getActionOperation, getConfiguredActions } from '../actions/resolve-action.ts'
import { createJob } from '../lifecycle/create.ts'
import { transition } from '../lifecycle/transition.ts'
import { getNamespaces } from '../request/resources.ts'

interface DeclaredSeries {
  id: string
  schedule: JobSchedule
  action: Action
  operation: string
  column?: string
  resource: Resource
}

const ATTEMPTS = 5

export async function syncSeries(actor: Actor, ownerId: string): Promise<void> {
  const declared = await getDeclaredSeries(actor, ownerId)
  const stored = (await Series.ofOwner(ownerId)).filter(({ accountId }) => accountId === actor.accountId)
  for (const series of declared) await retryOnConflict(ATTEMPTS, () => startSeries(actor, ownerId, series))
  const declaredIds = new Set(declared.map(({ id }) => id))
  for (const { id } of stored) if (!declaredIds.has(id)) await retryOnConflict(ATTEMPTS, () => endSeries(actor, id))
}

async function getDeclaredSeries(actor: Actor, ownerId: string): Promise<DeclaredSeries[]> {
  if (parseKind(ownerId) !== 'action') {
    const resource = await findResource(actor, ownerId)
    return resource
      ? [...getConfiguredActions(resource).map((action) => ({ action })), ...getActionsOfFields(resource)].flatMap(
          toDeclaredSeries(ownerId, resource),
        )
      : []
  }
  const standalone = await StandAlone.get(ownerId)
  if (!standalone || standalone.accountId !== actor.accountId) return []
  const resource = await findResource(actor, standalone.targetId)
  return resource ? [{ action: standalone.config }].flatMap(toDeclaredSeries(ownerId, resource)) : []
}

/** Undefined when the resource is missing or belongs to another account, since a forged event can name any id. */
async function findResource({ accountId, actorId }: Actor, id: string): Promise<Resource | undefined> {
  const principal: Principal = { accountId, actorId, role: 'administrator' }
  return loadScope('resource', principal, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not-found') return undefined
    throw error
  })
}

interface ActionWithColumn {
  action: Action
  column?: string
}

const getActionsOfFields = (resource: Resource): ActionWithColumn[] =>
  resource.kind === 'sheet'
    ? resource.sheet.config.fields.flatMap(({ key, actions }) =>
        (actions ?? []).map((action) => ({ action, column: key })),
      )
    : []

const toDeclaredSeries =
  (ownerId: string, resource: Resource) =>
  ({ action, column }: ActionWithColumn): DeclaredSeries[] => {
    const operation = getActionOperation(action)
    if (!action.schedule || operation === undefined || resource.kind === 'agent') return []
    const id = Series.buildId(ownerId, operation, column)
    return [{ id, schedule: action.schedule, action, operation, resource, ...(column === undefined ? {} : { column }) }]
  }

async function startSeries(actor: Actor, ownerId: string, declared: DeclaredSeries): Promise<void> {
  const { id, schedule } = declared
  const existing = await Series.get(id)
  // A series that people ended by canceling its job stays ended until the schedule changes.
  if (existing?.schedule === schedule) return
  const tx = begin(actor)
  if (existing) await cancelNextJob(tx, existing)
  const job = createJob(tx, buildJobConfig(declared), declared.resource, {
    series: id,
    namespaces: await getNamespaces(declared.resource),
  })
  const updated = { id, accountId: actor.accountId, ownerId, schedule, jobId: job.id }
  tx.write(existing ? Series.replace(existing, updated) : Series.create(updated))
  await tx.commit()
}

async function endSeries(actor: Actor, id: string): Promise<void> {
  const series = await Series.get(id)
  if (!series) return
  const tx = begin(actor)
  await cancelNextJob(tx, series)
  tx.write(Series.remove(series))
  await tx.commit()
}

async function cancelNextJob(tx: Tx, { jobId }: StoredSeries): Promise<void> {
  const job = await Jobs.get(jobId)
  if (job?.status === 'scheduled') transition(tx, job, 'cancel', { info: message('jobs.scheduleRemoved') })
}

function buildJobConfig({
  action,
  operation,
  schedule,
  column,
  resource,
}: DeclaredSeries): Parameters<typeof createJob>[1] {
  const source = getResourceId(resource)
  const input = withDefaults(action.inputForm?.fields ?? [])
  const subject: CreateJob['subject'] =
    column === undefined
      ? undefined
      : { type: 'collection', resource: 'records', params: { sheetId: source, columnKey: column }, query: {} }
  return {
    type: resource.kind,
    operation,
    source,
    schedule,
    mode: action.mode ?? 'background',
    subject,
    ...(Object.keys(input).length > 0 ? { input } : {}),
  }
}

function getResourceId(resource: Resource): string {
  switch (resource.kind) {
    case 'space':
      return resource.space.id
    case 'workbook':
      return resource.workbook.id
    case 'sheet':
      return resource.sheet.id
    case 'file':
      return resource.file.id
    case 'document':
      return resource.document.id
    case 'agent':
      return resource.agent.id
  }
}
