/** Health checks for load balancers, monitors and deployments. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'

export const live = endpoint({
  id: 'health.live',
  method: 'GET',
  root: true,
  path: '/health',
  summary: 'Checks whether the API responds',
  description: 'Does not check dependencies; see `GET /health/ready`.',
  policy: { public: true },
  reply: z.object({ status: z.literal('ok') }),
  example: {},
})

const CheckResult = z.literal('ok')

export const ready = endpoint({
  id: 'health.ready',
  method: 'GET',
  root: true,
  path: '/health/ready',
  summary: 'Checks whether the table, bucket and bus respond',
  description:
    'Each process checks at most once every 5 seconds. If a dependency does not respond within 3 seconds, the ' +
    'response is 503 and names it; the cause is logged.',
  policy: { public: true },
  reply: z.object({
    status: z.literal('ready'),
    checks: z.object({ table: CheckResult, bucket: CheckResult, bus: CheckResult }),
  }),
  errors: ['unavailable'],
  example: {},
})
