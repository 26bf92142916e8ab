/** Endpoints of job plans: what a mapping will do, readable and editable before it runs. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data } from '../kit/page.ts'
import { OtherLinesChoice } from '../programs/other-lines.ts'
import { DestinationField, Edge, Plan, SourceField } from '../programs/plan.ts'
import { MAX_EXAMPLES_PER_COLUMN, MAX_PREVIEWED_RECORDS, MappingPreview, PREVIEW_SECONDS } from './preview.ts'
import { Job } from './shape.ts'

const params = z.object({ jobId: Id })
const at = 'params.jobId'
const example = { params: { jobId: '{jobId}' } }
const read = { can: 'jobs:read', on: 'job', at } as const
const write = { can: 'jobs:write', on: 'job', at, guests: 'own' } as const

export const PlanOfJob = z.object({ job: Job, plan: Plan })
const planReply = { reply: data(PlanOfJob) } as const
const echoedId = unscoped('clients send it back; it is not used', z.string())
const echoedIds = { fileId: nullish(echoedId), jobId: nullish(echoedId) }

export const plan = endpoint({
  id: 'jobs.plan',
  method: 'GET',
  path: '/jobs/{jobId}/plan',
  summary: "Reads a job's plan, including after the job has ended",
  policy: read,
  params,
  ...planReply,
  example,
})
export const replacePlan = endpoint({
  id: 'jobs.replacePlan',
  method: 'PUT',
  path: '/jobs/{jobId}/plan',
  summary: "Replaces a job's plan",
  policy: write,
  params,
  body: z.object({
    ...Plan.omit({ recipe: true, otherLines: true }).shape,
    otherLines: OtherLinesChoice.optional(),
    ...echoedIds,
  }),
  ...planReply,
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { fieldMapping: [], unmappedSourceFields: [], unmappedDestinationFields: [] } },
})
export const updatePlan = endpoint({
  id: 'jobs.updatePlan',
  method: 'PATCH',
  path: '/jobs/{jobId}/plan',
  summary: "Updates parts of a job's plan",
  policy: write,
  params,
  body: z.object({
    fieldMapping: nullish(z.array(Edge)),
    unmappedSourceFields: nullish(z.array(SourceField)),
    unmappedDestinationFields: nullish(z.array(DestinationField)),
    programId: nullish(scoped('program')),
    otherLines: OtherLinesChoice.optional(),
    ...echoedIds,
  }),
  ...planReply,
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { fieldMapping: [] } },
})

export const preview = endpoint({
  id: 'jobs.preview',
  method: 'POST',
  path: '/jobs/{jobId}/preview',
  summary: 'Previews what executing a `workbook:map` job would write, without changing anything',
  description:
    'Requires `records:read` on both sheets. ' +
    `Returns the first ${MAX_PREVIEWED_RECORDS} records as they would be written, the number of records that would be created, and for each column ` +
    `how many values are converted, unchanged, unreadable or empty, with up to ${MAX_EXAMPLES_PER_COLUMN} examples. ` +
    `Counting stops after ${PREVIEW_SECONDS} seconds; then \`isComplete\` is false, and the counts are those of the first \`countedRecords\`. ` +
    'Pass `token` to `POST /jobs/{jobId}/execute` to execute exactly this preview.',
  policy: read,
  params,
  reply: data(MappingPreview),
  errors: ['conflict', 'unprocessable'],
  also: ['large'],
  example: { ...example, note: 'The job must be a `workbook:map` job.' },
})
