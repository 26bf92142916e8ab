/**
 * Which troubles the embedded cloud makes on purpose, read from one line of text (`CLOUD_FAULTS`):
 * `dynamodb:throttle=0.3,lost=0.01;s3:error=0.05;latency=5ms-20ms;seed=7`. Pure; knows nothing of requests.
 */
import * as z from 'zod'

export const FAULTY_SERVICES = ['dynamodb', 's3', 'eventbridge', 'lambda', 'kms', 'ses'] as const
export type FaultyService = (typeof FAULTY_SERVICES)[number]

const probability = z
  .string()
  .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'is a part of 1, as 0.3')
  .transform(Number)

const latency = z
  .string()
  .regex(/^\d{1,5}ms(-\d{1,5}ms)?$/, 'is a time or a span of times, as 20ms or 5ms-50ms')
  .transform((text) => text.split('-').map(Number.parseFloat))
  .refine(([from = 0, to = from]) => from <= to, 'ends before it begins')
  .transform(([from = 0, to = from]) => ({ from, to }))

const ServiceFaults = z
  .strictObject({
    /** Refused as too much at once, with nothing done. */
    throttle: probability.default(0),
    /** Refused as a fault of the service, with nothing done. */
    error: probability.default(0),
    /** Done, but the connection breaks before the answer's end. */
    lost: probability.default(0),
    latency: latency.optional(),
  })
  .refine(
    ({ throttle, error, lost }) => throttle + error + lost <= 1,
    'throttle, error and lost are more than 1 together',
  )
export type ServiceFaults = z.infer<typeof ServiceFaults>

const Plan = z.strictObject({
  seed: z
    .string()
    .regex(/^\d{1,9}$/, 'is a whole number of at most 9 digits')
    .transform(Number)
    .default(1),
  latency: latency.optional(),
  ...(Object.fromEntries(FAULTY_SERVICES.map((service) => [service, ServiceFaults.optional()])) as Record<
    FaultyService,
    z.ZodOptional<typeof ServiceFaults>
  >),
})
export type FaultPlan = z.infer<typeof Plan>

/** What a plan is not; names every problem of it. */
export class FaultPlanError extends Error {
  override name = 'FaultPlanError'
}

/** @throws FaultPlanError */
export function faultPlan(text: string): FaultPlan {
  const problems: string[] = []
  const written: Record<string, unknown> = {}
  const note = (into: Record<string, unknown>, setting: string, place: string): void => {
    const [name = '', value, ...more] = setting.split('=').map((part) => part.trim())
    if (!name || value === undefined || more.length > 0) problems.push(`${place}"${setting.trim()}" is no name=value`)
    else if (Object.hasOwn(into, name)) problems.push(`${place}${name} stands there twice`)
    else into[name] = value
  }
  for (const part of text.split(';').filter((each) => each.trim() !== '')) {
    const at = part.indexOf(':')
    if (at < 0) {
      note(written, part, '')
      continue
    }
    const service = part.slice(0, at).trim()
    if (Object.hasOwn(written, service)) problems.push(`${service} stands there twice`)
    const settings: Record<string, unknown> = {}
    for (const setting of part.slice(at + 1).split(',')) note(settings, setting, `${service}: `)
    written[service] = settings
  }
  const { data, error } = Plan.safeParse(written)
  for (const { path, message } of error?.issues ?? [])
    problems.push(path.length > 0 ? `${path.join('.')} ${message}` : message)
  if (!data || problems.length > 0)
    throw new FaultPlanError(`The plan of faults cannot be read: ${problems.join('; ')}.`)
  return data
}
