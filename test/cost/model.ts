/**
 * Many equal works at once against quotas that are given by the second: in steps of a tenth of a second each quota lets through
 * what it can, and every work under way goes on as fast as its scarcest quota lets all of them. Pure.
 */
import { LAMBDA_SCALING, QUOTAS, type Resource } from './quotas.ts'

export interface Work {
  /** How long one takes where nothing is scarce; its demands are spread over that time evenly. */
  seconds: number
  /** What one needs of each quota in all; of `lambda` how many runs it has under way at the same time, on the average. */
  needs: Partial<Record<Resource, number>>
}

export interface Outcome {
  /** Until the last is done. */
  seconds: number
  /** Seconds for which each quota held the works back, the first one it did first. */
  held: { resource: Resource; from: number; seconds: number; wanted: number }[]
}

const STEP = 0.1
/** Works that would not end by then are not worth waiting for. */
const LONGEST_SECONDS = 6 * 3600

export function simulate(count: number, { seconds, needs }: Work): Outcome {
  const held = new Map<Resource, Outcome['held'][number]>()
  const hold = (resource: Resource, at: number, wanted: number): void => {
    const known = held.get(resource) ?? { resource, from: at, seconds: 0, wanted: 0 }
    held.set(resource, { ...known, seconds: known.seconds + STEP, wanted: Math.max(known.wanted, wanted) })
  }
  const rates = Object.entries(needs).filter(([resource, need]) => resource !== 'lambda' && need > 0) as [
    Resource,
    number,
  ][]
  const runs = needs.lambda ?? 0
  /** Works still to be done, each begun as soon as it may. */
  let left = count * seconds
  let at = 0
  for (; left > 1e-9 && at < LONGEST_SECONDS; at += STEP) {
    const wanting = Math.min(count, Math.ceil(left / STEP))
    let under = wanting
    if (runs > 0) {
      const scaled = LAMBDA_SCALING.runs * (1 + Math.floor(at / LAMBDA_SCALING.seconds))
      const most = Math.min(QUOTAS.lambda.limit, scaled) / runs
      if (most < wanting) {
        hold('lambda', at, wanting * runs)
        under = most
      }
    }
    let speed = 1
    let scarcest: { resource: Resource; wanted: number } | undefined
    for (const [resource, need] of rates) {
      const wanted = (under * need) / seconds
      const share = QUOTAS[resource].limit / wanted
      if (share < speed) {
        speed = share
        scarcest = { resource, wanted }
      }
    }
    if (scarcest) hold(scarcest.resource, at, scarcest.wanted)
    left -= under * speed * STEP
  }
  return { seconds: at, held: [...held.values()].toSorted((a, b) => a.from - b.from) }
}
