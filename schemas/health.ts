/** Whether the deployment answers, and whether what it stands on does: for load balancers, monitors and whoever deploys. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'

export const live = endpoint({
  id: 'health.live',
  method: 'GET',
  root: true,
  path: '/health',
  summary: 'Tells that the API answers',
  description: 'Asks nothing of what lies below; `GET /health/ready` does.',
  policy: { public: true },
  reply: z.object({ status: z.literal('ok') }),
  example: {},
})

const Check = z.literal('ok')

export const ready = endpoint({
  id: 'health.ready',
  method: 'GET',
  root: true,
  path: '/health/ready',
  summary: 'Tells whether table, bucket and bus answer',
  description:
    'Each is asked for something small, at most once in 5 seconds by each process. Where one does not answer within 3 seconds, the ' +
    'answer is 503 and names it; why stands in the log.',
  policy: { public: true },
  reply: z.object({ status: z.literal('ready'), checks: z.object({ table: Check, bucket: Check, bus: Check }) }),
  errors: ['unavailable'],
  example: {},
})
