/**
 * The jobs of actions with a schedule: a series for each, begun when the action is there, and ended when it is gone or its
 * schedule is another. Everything derives from what is stored, read after the event that brings it here: done again, or at
 * the same time, it changes nothing.
 */
import type { Action } from '../../../schemas/action.ts'
import type { CreateJob } from '../../../schemas/job.ts'
import type { JobSchedule } from '../../../schemas/schedule.ts'
import type { Principal } from '../../auth/principal.ts'
import { loadScope, type Resource } from '../../auth/scopes.ts'
import { ApiError } from '../../core/errors.ts'
import { kindOf } from '../../core/ids.ts'
import { Actions as StandAlone } from '../../entities/actions.ts'
import { Jobs } from '../../entities/jobs.ts'
import { Series, type StoredSeries } from '../../entities/series.ts'
import { ConditionFailed } from '../../table/transact.ts'
import { type Actor, begin, type Tx } from '../../tx.ts'
import { createJob } from '../create.ts'
import { move } from '../move.ts'
import { namespacesOf } from '../references.ts'
import { configured, operationOf } from './find.ts'
import { withDefaults } from './input.ts'

/** A series as an action declares it. */
interface Declared {
  id: string
  schedule: JobSchedule
  action: Action
  operation: string
  column?: string
  resource: Resource
}

/** Attempts against others that change the same. */
const ATTEMPTS = 5

/** Brings the series of an owner in line: of an action of its own, or of all in the configuration of a thing. */
export async function settleSeries(actor: Actor, ownerId: string): Promise<void> {
  const declared = await declaredBy(actor, ownerId)
  const stored = (await Series.ofOwner(ownerId)).filter(({ accountId }) => accountId === actor.accountId)
  for (const series of declared) await again(() => begun(actor, ownerId, series))
  const wanted = new Set(declared.map(({ id }) => id))
  for (const { id } of stored) if (!wanted.has(id)) await again(() => ended(actor, id))
}

/** Reads and decides anew when somebody else was faster. */
async function again(step: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === ATTEMPTS) throw error
    }
  }
}

async function declaredBy(actor: Actor, ownerId: string): Promise<Declared[]> {
  if (kindOf(ownerId) !== 'action') {
    const resource = await resourceOf(actor, ownerId)
    return resource
      ? [...configured(resource).map((action) => ({ action })), ...ofFields(resource)].flatMap(
          asDeclared(ownerId, resource),
        )
      : []
  }
  const alone = await StandAlone.get(ownerId)
  if (!alone || alone.accountId !== actor.accountId) return []
  const resource = await resourceOf(actor, alone.targetId)
  return resource ? [{ action: alone.config }].flatMap(asDeclared(ownerId, resource)) : []
}

/** What carries actions, if it is there and of the actor's account: an event that somebody made up may name anything. */
async function resourceOf({ accountId, actorId }: Actor, id: string): Promise<Resource | undefined> {
  const principal: Principal = { accountId, actorId, role: 'administrator' }
  return loadScope('resource', principal, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not-found') return undefined
    throw error
  })
}

interface Placed {
  action: Action
  column?: string
}

const ofFields = (resource: Resource): Placed[] =>
  resource.kind === 'sheet'
    ? resource.sheet.config.fields.flatMap(({ key, actions }) =>
        (actions ?? []).map((action) => ({ action, column: key })),
      )
    : []

const asDeclared =
  (ownerId: string, resource: Resource) =>
  ({ action, column }: Placed): Declared[] => {
    const operation = operationOf(action)
    if (!action.schedule || operation === undefined || resource.kind === 'agent') return []
    const id = Series.idOf(ownerId, operation, column)
    return [{ id, schedule: action.schedule, action, operation, resource, ...(column === undefined ? {} : { column }) }]
  }

async function begun(actor: Actor, ownerId: string, declared: Declared): Promise<void> {
  const { id, schedule } = declared
  const before = await Series.get(id)
  // One that people ended by canceling its job stays ended until its schedule is another.
  if (before?.schedule === schedule) return
  const tx = begin(actor)
  if (before) await cancelNext(tx, before)
  const job = createJob(tx, jobOf(declared), declared.resource, {
    series: id,
    namespaces: await namespacesOf(declared.resource),
  })
  const after = { id, accountId: actor.accountId, ownerId, schedule, jobId: job.id }
  tx.write(before ? Series.replace(before, after) : Series.create(after))
  await commit(tx)
}

async function ended(actor: Actor, id: string): Promise<void> {
  const series = await Series.get(id)
  if (!series) return
  const tx = begin(actor)
  await cancelNext(tx, series)
  tx.write(Series.remove(series))
  await commit(tx)
}

function commit(tx: Tx): Promise<void> {
  tx.onConflict((error) => error)
  return tx.commit()
}

async function cancelNext(tx: Tx, { jobId }: StoredSeries): Promise<void> {
  const job = await Jobs.get(jobId)
  if (job?.status === 'scheduled') move(tx, job, 'cancel', { info: 'Its action is no longer scheduled so.' })
}

function jobOf({ action, operation, schedule, column, resource }: Declared): Parameters<typeof createJob>[1] {
  const source = sourceOf(resource)
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

function sourceOf(resource: Resource): string {
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
