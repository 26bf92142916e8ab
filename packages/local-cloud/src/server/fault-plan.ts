/** Parses fault plans: `dynamodb:throttle=0.3,lost=0.01;s3:error=0.05;latency=5ms-20ms;seed=7`. */
import * as z from 'zod'

export const FAULTY_SERVICES = ['dynamodb', 's3', 'eventbridge', 'lambda', 'kms', 'ses'] as const
export type FaultyService = (typeof FAULTY_SERVICES)[number]

const probability = z
  .string()
  .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number between 0 and 1, such as 0.3')
  .transform(Number)

const latency = z
  .string()
  .regex(/^\d{1,5}ms(-\d{1,5}ms)?$/, 'must be a time or a range of times, such as 20ms or 5ms-50ms')
  .transform((text) => text.split('-').map(Number.parseFloat))
  .refine(([from = 0, to = from]) => from <= to, 'ends before it starts')
  .transform(([from = 0, to = from]) => ({ from, to }))

const ServiceFaults = z
  .strictObject({
    throttle: probability.default(0),
    error: probability.default(0),
    /** Executed, but the connection breaks before the end of the response. */
    lost: probability.default(0),
    latency: latency.optional(),
  })
  .refine(
    ({ throttle, error, lost }) => throttle + error + lost <= 1,
    'throttle, error and lost must not add up to more than 1',
  )
export type ServiceFaults = z.infer<typeof ServiceFaults>

const Plan = z.strictObject({
  seed: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number of at most 9 digits')
    .transform(Number)
    .default(1),
  latency: latency.optional(),
  ...(Object.fromEntries(FAULTY_SERVICES.map((service) => [service, ServiceFaults.optional()])) as Record<
    FaultyService,
    z.ZodOptional<typeof ServiceFaults>
  >),
})
export type FaultPlan = z.infer<typeof Plan>

export class FaultPlanError extends Error {
  override name = 'FaultPlanError'
}

export function parseFaultPlan(text: string): FaultPlan {
  const problems: string[] = []
  const parsedSettings: Record<string, unknown> = {}
  const addSetting = (target: Record<string, unknown>, setting: string, prefix: string): void => {
    const [name = '', value, ...extra] = setting.split('=').map((part) => part.trim())
    if (!name || value === undefined || extra.length > 0)
      problems.push(`${prefix}"${setting.trim()}" is not a name=value pair`)
    else if (Object.hasOwn(target, name)) problems.push(`${prefix}${name} is set twice`)
    else target[name] = value
  }
  for (const section of text.split(';').filter((candidate) => candidate.trim() !== '')) {
    const colon = section.indexOf(':')
    if (colon < 0) {
      addSetting(parsedSettings, section, '')
      continue
    }
    const service = section.slice(0, colon).trim()
    if (Object.hasOwn(parsedSettings, service)) problems.push(`${service} is set twice`)
    const settings: Record<string, unknown> = {}
    for (const setting of section.slice(colon + 1).split(',')) addSetting(settings, setting, `${service}: `)
    parsedSettings[service] = settings
  }
  const { data, error } = Plan.safeParse(parsedSettings)
  for (const { path, message } of error?.issues ?? [])
    problems.push(path.length > 0 ? `${path.join('.')} ${message}` : message)
  if (!data || problems.length > 0) throw new FaultPlanError(`The fault plan is invalid: ${problems.join('; ')}.`)
  return data
}
