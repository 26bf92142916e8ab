/** Simulates many equal work items against per-second quotas, in steps of 0.1 s. Pure. */
import { LAMBDA_SCALING, QUOTAS, type Resource } from './quotas.ts'

export interface Work {
  seconds: number
  needs: Partial<Record<Resource, number>>
}

export interface Outcome {
  seconds: number
  throttled: { resource: Resource; from: number; seconds: number; wanted: number }[]
}

const STEP = 0.1
const LONGEST_SECONDS = 6 * 3600

export function simulate(count: number, { seconds, needs }: Work): Outcome {
  const held = new Map<Resource, Outcome['throttled'][number]>()
  const recordThrottling = (resource: Resource, at: number, wanted: number): void => {
    const previous = held.get(resource) ?? { resource, from: at, seconds: 0, wanted: 0 }
    held.set(resource, { ...previous, seconds: previous.seconds + STEP, wanted: Math.max(previous.wanted, wanted) })
  }
  const rates = Object.entries(needs).filter(([resource, need]) => resource !== 'lambda' && need > 0) as [
    Resource,
    number,
  ][]
  const runs = needs.lambda ?? 0
  let remaining = count * seconds
  let at = 0
  for (; remaining > 1e-9 && at < LONGEST_SECONDS; at += STEP) {
    const wanting = Math.min(count, Math.ceil(remaining / STEP))
    let running = wanting
    if (runs > 0) {
      const scaled = LAMBDA_SCALING.runs * (1 + Math.floor(at / LAMBDA_SCALING.seconds))
      const maxWorks = Math.min(QUOTAS.lambda.limit, scaled) / runs
      if (maxWorks < wanting) {
        recordThrottling('lambda', at, wanting * runs)
        running = maxWorks
      }
    }
    let speed = 1
    let scarcest: { resource: Resource; wanted: number } | undefined
    for (const [resource, need] of rates) {
      const wanted = (running * need) / seconds
      const share = QUOTAS[resource].limit / wanted
      if (share < speed) {
        speed = share
        scarcest = { resource, wanted }
      }
    }
    if (scarcest) recordThrottling(scarcest.resource, at, scarcest.wanted)
    remaining -= running * speed * STEP
  }
  return { seconds: at, throttled: [...held.values()].toSorted((a, b) => a.from - b.from) }
}
