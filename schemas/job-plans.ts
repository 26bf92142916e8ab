/** The plans of jobs: what a mapping will do, read and changed before it runs. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { free, Id, scoped } from './ids.ts'
import { Job } from './job.ts'
import { DestinationField, Edge, Plan, SourceField } from './mapping.ts'
import { maybe } from './optional.ts'
import { data } from './page.ts'

const params = z.object({ jobId: Id })
const at = 'params.jobId'
const example = { params: { jobId: '{jobId}' } }
const read = { can: 'jobs:read', on: 'job', at } as const
const write = { can: 'jobs:write', on: 'job', at, guests: 'own' } as const

export const PlanOfJob = z.object({ job: Job, plan: Plan })
const planned = { reply: data(PlanOfJob) } as const
const echoed = free('clients send it back, nothing is made of it', z.string())
const addressed = { fileId: maybe(echoed), jobId: maybe(echoed) }

export const plan = endpoint({
  id: 'jobs.plan',
  method: 'GET',
  path: '/jobs/{jobId}/plan',
  summary: "Reads a job's plan, also after it has ended",
  policy: read,
  params,
  ...planned,
  example,
})
export const replacePlan = endpoint({
  id: 'jobs.replacePlan',
  method: 'PUT',
  path: '/jobs/{jobId}/plan',
  summary: "Replaces a job's plan",
  policy: write,
  params,
  body: z.object({ ...Plan.shape, ...addressed }),
  ...planned,
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { fieldMapping: [], unmappedSourceFields: [], unmappedDestinationFields: [] } },
})
export const updatePlan = endpoint({
  id: 'jobs.updatePlan',
  method: 'PATCH',
  path: '/jobs/{jobId}/plan',
  summary: "Changes parts of a job's plan",
  policy: write,
  params,
  body: z.object({
    fieldMapping: maybe(z.array(Edge)),
    unmappedSourceFields: maybe(z.array(SourceField)),
    unmappedDestinationFields: maybe(z.array(DestinationField)),
    programId: maybe(scoped('program')),
    ...addressed,
  }),
  ...planned,
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { fieldMapping: [] } },
})
