/**
 * Troubles on purpose: before a request reaches its service it may be held up, refused as AWS refuses, or have its answer lost.
 * What happens to the n-th request of a service follows from the seed alone. Told and changed at `/_aws/faults`.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../request-body.ts'
import type { Service } from '../service.ts'
import { FAULTY_SERVICES, type FaultPlan, FaultPlanError, type FaultyService, faultPlan } from './fault-plan.ts'
import { refuse } from './refusals.ts'

export const FAULTS_PATH = '/_aws/faults'
const PLAN_BYTES = 64 * 1024

interface Tally {
  requests: number
  throttled: number
  failed: number
  lost: number
  /** Requests by the number of their try, as clients tell it (`amz-sdk-request`). */
  tries: Record<string, number>
}

export interface Faults {
  /** From now on, by this plan; what was counted is forgotten. */
  begin(plan: FaultPlan): void
  /** Has the service answer, unless something is to happen. */
  meet(service: FaultyService, req: IncomingMessage, res: ServerResponse, serve: Service): Promise<void>
  /** `GET` tells what happened so far, `PUT` begins anew by the plan in its body; an empty one makes no trouble. */
  control(req: IncomingMessage, res: ServerResponse): Promise<void>
}

const untroubled = (): Tally => ({ requests: 0, throttled: 0, failed: 0, lost: 0, tries: {} })

const tallies = () =>
  Object.fromEntries(FAULTY_SERVICES.map((service) => [service, untroubled()])) as Record<FaultyService, Tally>

/** No trouble until it is begun. */
export function faults(): Faults {
  let plan = faultPlan('')
  let counts = tallies()
  const begin = (next: FaultPlan): void => {
    plan = next
    counts = tallies()
  }
  return {
    begin,
    async meet(service, req, res, { handle }) {
      const tally = counts[service]
      const number = tally.requests++
      const attempt = /attempt=(\d+)/.exec(String(req.headers['amz-sdk-request']))?.[1] ?? '1'
      tally.tries[attempt] = (tally.tries[attempt] ?? 0) + 1
      const wait = plan[service]?.latency ?? plan.latency
      const chance = (what: string) => chanceOf(`${plan.seed} ${service} ${number} ${what}`)
      if (wait) await new Promise((resolve) => setTimeout(resolve, wait.from + (wait.to - wait.from) * chance('wait')))
      const { throttle = 0, error = 0, lost = 0 } = plan[service] ?? {}
      const drawn = chance('what')
      if (drawn < throttle) {
        tally.throttled++
        return refuse(service, 'throttle', req, res)
      }
      if (drawn < throttle + error) {
        tally.failed++
        return refuse(service, 'error', req, res)
      }
      if (drawn < throttle + error + lost) loseAnswer(res, () => tally.lost++)
      return handle(req, res)
    },
    async control(req, res) {
      if (req.method === 'PUT') {
        try {
          begin(faultPlan(String((await readBody(req, PLAN_BYTES)) ?? 'a plan that is too long')))
        } catch (error) {
          if (!(error instanceof FaultPlanError)) throw error
          return json(res, 400, { message: error.message })
        }
      }
      json(res, 200, { plan, services: counts })
    },
  }
}

/** The work is done by the time an answer ends: breaking the connection there loses the answer alone. */
function loseAnswer(res: ServerResponse, note: () => void): void {
  res.end = (() => {
    note()
    res.destroy()
    return res
  }) as typeof res.end
}

/** In [0, 1), the same for the same text: FNV-1a, its bits mixed once more (murmur3's finalizer). */
function chanceOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

function json(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() })
  res.end(JSON.stringify(body))
}
