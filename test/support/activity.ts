import { type SeenEvent, waitUntil } from './api.ts'
import { call, environmentId, must } from './fresh-account.ts'

/** Lists the events that a query of the list finds, and whose context has these values. */
export const findEvents = async <E = SeenEvent>(query: string, context: object = {}, by = call): Promise<E[]> =>
  (await must('GET', `/events?${query}&includeAcknowledged=true&pageSize=1000`, undefined, by)).filter(
    (event: SeenEvent) => Object.entries(context).every(([key, value]) => event.context[key] === value),
  )
export const emitEvent = (topic: string, context: object = {}, payload: object = {}, by = call) =>
  must('POST', '/events', { topic, domain: 'custom', context: { environmentId, ...context }, payload }, by)

export const deployAgent = (slug: string, topics: string[], source: string, more: object = {}, by = call) =>
  must('POST', `/agents?environmentId=${environmentId}`, { slug, topics, source, ...more }, by)
export const waitForRun = (agentId: string, eventId: string, seconds = 30, by = call) =>
  waitUntil(async () => {
    const runs = await must('GET', `/agents/${agentId}/logs?pageSize=100`, undefined, by)
    return runs.find((run: { eventId: string; status: string }) => run.eventId === eventId && run.status !== 'running')
  }, seconds)

export const waitForJob = (jobId: string, by = call, seconds = 60) =>
  waitUntil(async () => {
    const job = await must('GET', `/jobs/${jobId}`, undefined, by)
    return ['completed', 'failed', 'canceled'].includes(job.status) && job
  }, seconds)
export const runJob = async (body: object) =>
  waitForJob((await must('POST', '/jobs', { trigger: 'immediate', ...body })).id)

export const waitForFileJob = (fileId: string, jobs = 1) =>
  waitUntil(async () => {
    const all = await must('GET', `/jobs?fileId=${fileId}`)
    return all.length === jobs && ['completed', 'failed'].includes(all[0].status) && all[0]
  }, 30)
