/** Creates a ready job without emitting its events, so that the platform does not run it. */
import type { createCaller } from './api.ts'

export async function createUnannouncedJob(call: ReturnType<typeof createCaller>, body: object): Promise<string> {
  const response = await call('POST', '/jobs', { type: 'workbook', ...body })
  if (response.status !== 200) throw new Error(`POST /jobs: ${response.status} ${JSON.stringify(response.body)}`)
  const { Jobs } = await import('../../lib/entities/jobs.ts')
  const { transact } = await import('../../lib/table/transact.ts')
  const job = (await Jobs.get(response.body.data.id))!
  await transact([Jobs.replace(job, { ...job, status: 'ready' })])
  return job.id
}
