/**
 * Jobs over HTTP. Moves of a job that exists commit by themselves (lib/jobs/move.ts): a listener's concurrent calls are
 * told apart by the job's state, never by chance.
 */
import { assertMayRunJob, assertMayRunMutations } from '../lib/auth/mutations.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { reachedBy } from '../lib/auth/scopes.ts'
import { log } from '../lib/core/log.ts'
import { onDemand } from '../lib/core/on-demand.ts'
import { JobPlans, Jobs, type NewJob, type StoredJob, shownJob } from '../lib/entities/jobs.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { createJob } from '../lib/jobs/create.ts'
import { toExecute } from '../lib/jobs/machine.ts'
import { type Decide, move, moveNow } from '../lib/jobs/move.ts'
import { checkPlan } from '../lib/jobs/plan.ts'
import { openPredecessors } from '../lib/jobs/predecessors.ts'
import { checkReach, checkReferences, namespacesOf, placeOfResource } from '../lib/jobs/references.ts'
import { removeJob } from '../lib/jobs/remove.ts'
import { toAcknowledgeOutcome, toUpdate } from '../lib/jobs/requests.ts'
import { plannedEachTime } from '../lib/jobs/schedule.ts'
import { splitJob } from '../lib/jobs/split.ts'
import type { Tx } from '../lib/tx.ts'
import type { JobStatus } from '../schemas/job.ts'
import * as plans from '../schemas/job-plans.ts'
import * as jobs from '../schemas/jobs.ts'
import { EMPTY_PLAN, type Plan } from '../schemas/mapping.ts'
import { success } from '../schemas/page.ts'

// What new jobs are held to reads records; what moves jobs, the most of the calls, does not load it.
const offers = onDemand(() => import('../lib/jobs/offers/index.ts'))
const actions = onDemand(() => import('../lib/jobs/actions/check.ts'))
const parts = onDemand(() => import('../lib/jobs/parts.ts'))

export const create = serve(jobs.create)(async ({ resource, body, caller, tx }) => {
  await checkReach(caller, body)
  const place = placeOfResource(resource)
  await assertMayRunJob(caller, body, place)
  await checkReferences(body, place)
  const [{ planAtCreation }, { checkedInput }] = await Promise.all([offers(), actions()])
  const planned = await planAtCreation(caller, body, place)
  const awaits = await openPredecessors(body, place)
  const input = await checkedInput(resource, body)
  const config = { ...body, ...outcomeBy(body, caller), input, ...(planned ? { info: body.info ?? planned.info } : {}) }
  const job = createJob(tx, config, resource, {
    namespaces: await namespacesOf(resource),
    planned: planned !== undefined,
    awaits,
  })
  if (planned) {
    tx.write(JobPlans.create(job.id, planned.plan))
    planned.alongside(tx, job)
  }
  return { data: shownJob(job) }
})

export const list = serve(jobs.listed)(async ({ environments, query, caller }) => {
  const spaceId = caller.spaceId ?? query.spaceId
  const order = query.sortDirection ?? 'desc'
  const lists = spaceId ? [Jobs.inSpace(spaceId, order)] : environments.map(({ id }) => Jobs.inEnvironment(id, order))
  const reachable = new Set(environments.map(({ id }) => id))
  const reached = reachedBy(caller)
  const found = (await Promise.all(lists))
    .flat()
    .filter((job) => reachable.has(job.environmentId) && reached(job) && fits(job, query))
  const isInOrder = lists.length === 1 && query.sortField !== 'updatedAt'
  const page = pageOf(isInOrder ? found : found.toSorted(by(query.sortField ?? 'createdAt', order)), query)
  return { ...page, data: page.data.map(shownJob) }
})

const FILTERS = ['spaceId', 'workbookId', 'fileId', 'parentId', 'source', 'destination', 'type', 'operation'] as const

type Filters = { [F in (typeof FILTERS)[number]]?: StoredJob[F] | undefined } & {
  status?: JobStatus[] | undefined
  excludeChildJobs?: boolean | undefined
}

const fits = (job: StoredJob, { status, excludeChildJobs, ...filters }: Filters): boolean =>
  FILTERS.every((field) => filters[field] === undefined || job[field] === filters[field]) &&
  (status?.includes(job.status) ?? true) &&
  !(excludeChildJobs && job.parentId !== undefined)

/** Ids sort by creation. */
const by = (field: 'createdAt' | 'updatedAt', order: 'asc' | 'desc') => {
  const key = ({ id, [field]: time }: StoredJob): string => (field === 'createdAt' ? id : `${time} ${id}`)
  return (a: StoredJob, b: StoredJob) => (key(a) < key(b) === (order === 'asc') ? -1 : 1)
}

export const get = serve(jobs.get)(async ({ job }) => ({ data: shownJob(job) }))

const moved = async (caller: Principal, jobId: string, decide: Decide): Promise<NewJob> =>
  followed(await moveNow(caller, jobId, decide))

/** What follows for the job's parts, its parent and the jobs after it is done by the time of the answer; else the event does it. */
async function followed(job: NewJob): Promise<NewJob> {
  if ((job.parts ?? job.parentId ?? job.successors) === undefined) return job
  const { isFollowed, settle } = await parts()
  if (isFollowed(job))
    await settle(job).catch((error: Error) => log.warn('What follows from a job is left to its event', { error }))
  return job
}

export const update = serve(jobs.update)(async ({ job, body, caller, tx }) => {
  await assertMayRunJob(caller, job, job)
  await checkReach(caller, body, [job.config?.programId])
  if (body.config) await (await offers()).checkedOffer(caller, { ...job, config: body.config }, job)
  if (body.schedule && (await JobPlans.get(job.id))) throw plannedEachTime('schedule')
  return { data: shownJob(await moved(caller, job.id, toUpdate(body, tx.now))) }
})

export const remove = serve(jobs.remove)(async ({ job, tx }) => {
  await removeJob(tx, job)
  return success
})

export const execute = serve(jobs.execute)(async ({ job, caller }) => {
  await assertMayRunJob(caller, job, job)
  await moved(caller, job.id, (current) => ({ trigger: toExecute(current) }))
  return success
})

export const acknowledge = serve(jobs.acknowledge)(async ({ job, body, caller }) => ({
  data: shownJob(await moved(caller, job.id, () => ({ trigger: 'acknowledge', changes: body ?? {} }))),
}))

/** The role of the caller who gives an outcome: browsers start it only where that caller is trusted. */
const outcomeBy = (body: { outcome?: unknown } | undefined, { role }: Principal) =>
  body?.outcome === undefined ? {} : { outcomeBy: role }

export const complete = serve(jobs.complete)(async ({ job, body, caller }) => ({
  data: shownJob(
    await moved(caller, job.id, () => ({ trigger: 'complete', changes: { ...body, ...outcomeBy(body, caller) } })),
  ),
}))

export const fail = serve(jobs.fail)(async ({ job, body, caller }) => ({
  data: shownJob(
    await moved(caller, job.id, () => ({ trigger: 'fail', changes: { ...body, ...outcomeBy(body, caller) } })),
  ),
}))

export const cancel = serve(jobs.cancel)(async ({ job, body, caller }) => ({
  data: shownJob(await moved(caller, job.id, () => ({ trigger: 'cancel', changes: body ?? {} }))),
}))

export const split = serve(jobs.split)(async ({ job, body, caller }) => {
  await assertMayRunJob(caller, job, job)
  return { data: shownJob(await followed(await splitJob(caller, job, body))) }
})

export const retry = serve(jobs.retry)(async ({ job, caller }) => {
  await assertMayRunJob(caller, job, job)
  return { data: shownJob(await moved(caller, job.id, () => ({ trigger: 'retry' }))) }
})

export const acknowledgeOutcome = serve(jobs.acknowledgeOutcome)(async ({ job, caller, tx }) => ({
  data: shownJob(await moved(caller, job.id, toAcknowledgeOutcome(tx.now))),
}))

export const previewMutation = serve(jobs.previewMutation)(async ({ sheet, body, caller, request }) => {
  await assertMayRunMutations(caller, sheet)
  await checkReach(caller, body)
  // What it takes is read by the few who ask for it.
  const [{ preview }, { largeJson }] = await Promise.all([
    import('../lib/jobs/mutation/preview.ts'),
    import('../lib/http/large.ts'),
  ])
  return largeJson(request, sheet, 'preview', { data: await preview(sheet, body) })
})

export const plan = serve(plans.plan)(async ({ job }) => ({
  data: { job: shownJob(job), plan: (await JobPlans.get(job.id)) ?? EMPTY_PLAN },
}))

export const replacePlan = serve(plans.replacePlan)(async ({ job, body, caller, tx }) => {
  const { fileId: _, jobId: __, ...wanted } = body
  return changePlan(caller, tx, job, wanted, () => wanted)
})

export const updatePlan = serve(plans.updatePlan)(async ({ job, body, caller, tx }) => {
  const { fileId: _, jobId: __, ...changes } = body
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return changePlan(caller, tx, job, given, (before) => ({ ...before, ...given }))
})

async function changePlan(
  caller: Principal,
  tx: Tx,
  job: StoredJob,
  given: Partial<Plan>,
  change: (before: Plan) => Plan,
) {
  await assertMayRunJob(caller, job, job)
  const before = await JobPlans.get(job.id)
  await checkReach(caller, given, [before?.programId])
  if (job.schedule && job.status === 'scheduled') throw plannedEachTime('jobId')
  const wanted = change(before ?? EMPTY_PLAN)
  checkPlan(wanted)
  const { programFollows } = await import('../lib/jobs/programs.ts')
  const { plan, info } = await programFollows(tx, job, before, wanted)
  tx.write(before ? JobPlans.replace(job.id, before, plan) : JobPlans.create(job.id, plan))
  return { data: { job: shownJob(move(tx, job, 'plan', { info })), plan } }
}

export const handler = lambda(
  create,
  list,
  get,
  update,
  remove,
  execute,
  acknowledge,
  complete,
  fail,
  cancel,
  split,
  retry,
  acknowledgeOutcome,
  previewMutation,
  plan,
  replacePlan,
  updatePlan,
)
