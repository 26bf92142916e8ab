/** Jobs over HTTP. Each transition of a job is a separate commit, so the status decides concurrent calls. */

import { visibleTo } from '../lib/auth/load-resource.ts'
import { assertMayRunJob, assertMayRunMutations } from '../lib/auth/may-run-mutations.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { conflict } from '../lib/core/errors.ts'
import { lazy } from '../lib/core/lazy.ts'
import { log } from '../lib/core/log.ts'
import { JobPlans, Jobs, type NewJob, type StoredJob, serializeJob } from '../lib/entities/jobs.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { getPendingPredecessors } from '../lib/jobs/dependencies/predecessors.ts'
import { hasDependents, propagate } from '../lib/jobs/dependencies/propagate.ts'
import { splitJob } from '../lib/jobs/dependencies/split.ts'
import { chooseOutcomeAcknowledgement, chooseUpdate } from '../lib/jobs/lifecycle/client-transitions.ts'
import { createJob } from '../lib/jobs/lifecycle/create.ts'
import { removeJob } from '../lib/jobs/lifecycle/remove.ts'
import { createRepeatedPlanError } from '../lib/jobs/lifecycle/schedule.ts'
import { getExecuteTrigger } from '../lib/jobs/lifecycle/state-machine.ts'
import { applyTransition, type ChooseTransition, transition } from '../lib/jobs/lifecycle/transition.ts'
import { assertPlan } from '../lib/jobs/mapping/assert-plan.ts'
import { assertCanSeeAll, assertReferences, getNamespaces, getResourceLocation } from '../lib/jobs/request/resources.ts'
import type { Tx } from '../lib/tx.ts'
import * as jobs from '../schemas/jobs/endpoints.ts'
import * as plans from '../schemas/jobs/plans.ts'
import type { JobStatus } from '../schemas/jobs/shape.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'
import { EMPTY_PLAN, type Plan } from '../schemas/programs/plan.ts'

// Lazy: only creating a job reads records; most calls are transitions.
const importOperations = lazy(() => import('../lib/jobs/operations/index.ts'))
const importActions = lazy(() => import('../lib/jobs/actions/check.ts'))

export const create = serve(jobs.create)(async ({ resource, body, caller, tx }) => {
  await assertCanSeeAll(caller, body)
  const location = getResourceLocation(resource)
  await assertMayRunJob(caller, body, location)
  await assertReferences(body, location)
  const [{ prepareNewJob }, { validateActionInput }] = await Promise.all([importOperations(), importActions()])
  const { automaticRecipeId, draft } = await prepareNewJob(caller, body, location)
  const pendingPredecessors = await getPendingPredecessors(body, location)
  const input = await validateActionInput(resource, body)
  const config = {
    ...body,
    ...getOutcomeAuthor(body, caller),
    input,
    automaticRecipeId,
    ...(draft ? { info: body.info ?? draft.info } : {}),
  }
  const job = createJob(tx, config, resource, {
    namespaces: await getNamespaces(resource),
    planned: draft !== undefined,
    pendingPredecessors,
  })
  if (draft) {
    tx.write(JobPlans.create(job.id, draft.plan))
    draft.inTransaction(tx, job)
  }
  return { data: serializeJob(job) }
})

export const list = serve(jobs.listed)(async ({ environments, query, caller }) => {
  const spaceId = caller.spaceId ?? query.spaceId
  const order = query.sortDirection ?? 'desc'
  const lists = spaceId ? [Jobs.inSpace(spaceId, order)] : environments.map(({ id }) => Jobs.inEnvironment(id, order))
  const environmentIds = new Set(environments.map(({ id }) => id))
  const isVisible = visibleTo(caller)
  const matching = (await Promise.all(lists))
    .flat()
    .filter((job) => environmentIds.has(job.environmentId) && isVisible(job) && matchesFilters(job, query))
  const isInOrder = lists.length === 1 && query.sortField !== 'updatedAt'
  const page = paginate(
    isInOrder ? matching : matching.toSorted(compareBy(query.sortField ?? 'createdAt', order)),
    query,
  )
  return { ...page, data: page.data.map(serializeJob) }
})

const FILTERS = ['spaceId', 'workbookId', 'fileId', 'parentId', 'source', 'destination', 'type', 'operation'] as const

type Filters = { [F in (typeof FILTERS)[number]]?: StoredJob[F] | undefined } & {
  status?: JobStatus[] | undefined
  excludeChildJobs?: boolean | undefined
}

const matchesFilters = (job: StoredJob, { status, excludeChildJobs, ...filters }: Filters): boolean =>
  FILTERS.every((field) => filters[field] === undefined || job[field] === filters[field]) &&
  (status?.includes(job.status) ?? true) &&
  !(excludeChildJobs && job.parentId !== undefined)

const compareBy = (field: 'createdAt' | 'updatedAt', order: 'asc' | 'desc') => {
  const getSortKey = ({ id, [field]: timestamp }: StoredJob): string =>
    field === 'createdAt' ? id : `${timestamp} ${id}`
  return (a: StoredJob, b: StoredJob) => (getSortKey(a) < getSortKey(b) === (order === 'asc') ? -1 : 1)
}

export const get = serve(jobs.get)(async ({ job }) => ({ data: serializeJob(job) }))

const transitionJob = async (caller: Principal, jobId: string, chooseTransition: ChooseTransition): Promise<NewJob> =>
  propagateJob(await applyTransition(caller, jobId, chooseTransition))

/** Propagates to other jobs before the reply; if that fails, the job's event does it. */
async function propagateJob(job: NewJob): Promise<NewJob> {
  if ((job.parts ?? job.parentId ?? job.successors) === undefined) return job
  if (hasDependents(job))
    await propagate(job).catch((error: Error) => log.warn('Propagating a job failed; its event will retry', { error }))
  return job
}

export const update = serve(jobs.update)(async ({ job, body, caller, tx }) => {
  await assertMayRunJob(caller, job, job)
  await assertCanSeeAll(caller, body, [job.config?.programId])
  if (body.config) await (await importOperations()).validateOperation(caller, { ...job, config: body.config }, job)
  if (body.schedule && (await JobPlans.get(job.id))) throw createRepeatedPlanError('schedule')
  return { data: serializeJob(await transitionJob(caller, job.id, chooseUpdate(body, tx.now))) }
})

export const remove = serve(jobs.remove)(async ({ job, tx }) => {
  await removeJob(tx, job)
  return success
})

export const execute = serve(jobs.execute)(async ({ job, body, caller }) => {
  await assertMayRunJob(caller, job, job)
  const changes = await getPreviewChanges(job, body)
  await transitionJob(caller, job.id, (current) => ({ trigger: getExecuteTrigger(current), changes }))
  return success
})

async function getPreviewChanges(job: StoredJob, body: { preview?: string | undefined } | undefined) {
  if (body?.preview === undefined) return {}
  const { assertPreviewHolds } = await import('../lib/jobs/mapping/preview-token.ts')
  await assertPreviewHolds(job, body.preview)
  return { preview: body.preview }
}

export const acknowledge = serve(jobs.acknowledge)(async ({ job, body, caller }) => ({
  data: serializeJob(await transitionJob(caller, job.id, () => ({ trigger: 'acknowledge', changes: body ?? {} }))),
}))

/** Stores the caller's role with the outcome: browsers act on it only if the writer is trusted. */
const getOutcomeAuthor = (body: { outcome?: unknown } | undefined, { role }: Principal) =>
  body?.outcome === undefined ? {} : { outcomeBy: role }

export const complete = serve(jobs.complete)(async ({ job, body, caller }) => ({
  data: serializeJob(
    await transitionJob(caller, job.id, () => ({
      trigger: 'complete',
      changes: { ...body, ...getOutcomeAuthor(body, caller) },
    })),
  ),
}))

export const fail = serve(jobs.fail)(async ({ job, body, caller }) => ({
  data: serializeJob(
    await transitionJob(caller, job.id, () => ({
      trigger: 'fail',
      changes: { ...body, ...getOutcomeAuthor(body, caller) },
    })),
  ),
}))

export const cancel = serve(jobs.cancel)(async ({ job, body, caller }) => ({
  data: serializeJob(await transitionJob(caller, job.id, () => ({ trigger: 'cancel', changes: body ?? {} }))),
}))

export const split = serve(jobs.split)(async ({ job, body, caller }) => {
  await assertMayRunJob(caller, job, job)
  return { data: serializeJob(await propagateJob(await splitJob(caller, job, body))) }
})

export const retry = serve(jobs.retry)(async ({ job, body, caller }) => {
  await assertMayRunJob(caller, job, job)
  const changes = await getPreviewChanges(job, body)
  return { data: serializeJob(await transitionJob(caller, job.id, () => ({ trigger: 'retry', changes }))) }
})

export const acknowledgeOutcome = serve(jobs.acknowledgeOutcome)(async ({ job, caller, tx }) => ({
  data: serializeJob(await transitionJob(caller, job.id, chooseOutcomeAcknowledgement(tx.now))),
}))

export const undoImport = serve(jobs.undoImport)(async ({ job, query, request, caller, tx }) => {
  await assertMayRunJob(caller, job, job)
  const [{ undoImport: undo }, { writeOptionsFrom }] = await Promise.all([
    import('../lib/jobs/mapping/undo-import.ts'),
    import('../lib/commits/write.ts'),
  ])
  return { data: await undo(caller, job, tx, writeOptionsFrom(request, query, caller)) }
})

export const keepRecipe = serve(jobs.keepRecipe)(async ({ job, body, caller, tx }) => {
  const { keepRecipe: keep } = await import('../lib/jobs/mapping/keep-recipe.ts')
  return { data: await keep(caller, job, body, tx) }
})

export const previewMutation = serve(jobs.previewMutation)(async ({ sheet, body, caller, request }) => {
  await assertMayRunMutations(caller, sheet)
  await assertCanSeeAll(caller, body)
  const [{ previewChanges }, { createLargeJsonReply }] = await Promise.all([
    import('../lib/jobs/mutation/preview.ts'),
    import('../lib/http/large-response.ts'),
  ])
  return createLargeJsonReply(request, sheet, 'preview', { data: await previewChanges(sheet, body) })
})

export const plan = serve(plans.plan)(async ({ job }) => ({
  data: { job: serializeJob(job), plan: (await JobPlans.get(job.id)) ?? EMPTY_PLAN },
}))

export const replacePlan = serve(plans.replacePlan)(async ({ job, body, caller, tx }) => {
  const { fileId: _, jobId: __, otherLines, ...newPlan } = body
  return changePlan(caller, tx, job, newPlan, () => newPlan, otherLines?.leaveOut)
})

export const updatePlan = serve(plans.updatePlan)(async ({ job, body, caller, tx }) => {
  const { fileId: _, jobId: __, otherLines, ...changes } = body
  const definedChanges = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return changePlan(
    caller,
    tx,
    job,
    definedChanges,
    (before) => ({ ...before, ...definedChanges }),
    otherLines?.leaveOut,
  )
})

export const preview = serve(plans.preview)(async ({ job, caller, request }) => {
  const operation = await (await importOperations()).findOperation(job)
  if (!operation?.preview || job.spaceId === undefined)
    throw conflict(message('jobs.noPreview', { operation: `${job.type}:${job.operation}` }))
  const [data, { createLargeJsonReply }] = await Promise.all([
    operation.preview(caller, job),
    import('../lib/http/large-response.ts'),
  ])
  return createLargeJsonReply(request, { ...job, spaceId: job.spaceId }, 'preview', { data })
})

async function changePlan(
  caller: Principal,
  tx: Tx,
  job: StoredJob,
  changes: Partial<Plan>,
  change: (before: Plan) => Plan,
  leaveOut: boolean | undefined,
) {
  await assertMayRunJob(caller, job, job)
  const before = await JobPlans.get(job.id)
  await assertCanSeeAll(caller, changes, [before?.programId])
  if (job.schedule && job.status === 'scheduled') throw createRepeatedPlanError('jobId')
  const otherLines = before?.otherLines && { ...before.otherLines, leaveOut: leaveOut ?? before.otherLines.leaveOut }
  const newPlan = { ...change(before ?? EMPTY_PLAN), recipe: before?.recipe, otherLines }
  assertPlan(newPlan)
  const { syncProgram } = await import('../lib/jobs/mapping/sync-program.ts')
  const { plan, info } = await syncProgram(tx, job, before, newPlan)
  tx.write(before ? JobPlans.replace(job.id, before, plan) : JobPlans.create(job.id, plan))
  return { data: { job: serializeJob(transition(tx, job, 'plan', { info })), plan } }
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
  undoImport,
  keepRecipe,
  previewMutation,
  plan,
  replacePlan,
  updatePlan,
  preview,
)
