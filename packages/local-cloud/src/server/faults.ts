/** Fault injection: delays requests, rejects them, or loses their responses, depending only on the seed. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBody } from '../request-body.ts'
import type { Service } from '../service.ts'
import { FAULTY_SERVICES, type FaultPlan, FaultPlanError, type FaultyService, parseFaultPlan } from './fault-plan.ts'
import { sendFault } from './fault-responses.ts'

export const FAULTS_PATH = '/_aws/faults'
const MAX_PLAN_BYTES = 64 * 1024

interface FaultCounts {
  requests: number
  throttled: number
  failed: number
  lost: number
  tries: Record<string, number>
}

export interface FaultInjector {
  start(plan: FaultPlan): void
  apply(service: FaultyService, req: IncomingMessage, res: ServerResponse, serve: Service): Promise<void>
  /** `GET` returns the counts, `PUT` starts the plan in its body; an empty plan disables faults. */
  control(req: IncomingMessage, res: ServerResponse): Promise<void>
}

const createCounts = (): FaultCounts => ({ requests: 0, throttled: 0, failed: 0, lost: 0, tries: {} })

const createAllCounts = () =>
  Object.fromEntries(FAULTY_SERVICES.map((service) => [service, createCounts()])) as Record<FaultyService, FaultCounts>

export function createFaultInjector(): FaultInjector {
  let plan = parseFaultPlan('')
  let counts = createAllCounts()
  const start = (newPlan: FaultPlan): void => {
    plan = newPlan
    counts = createAllCounts()
  }
  return {
    start,
    async apply(service, req, res, { handle }) {
      const serviceCounts = counts[service]
      const requestNumber = serviceCounts.requests++
      const attempt = /attempt=(\d+)/.exec(String(req.headers['amz-sdk-request']))?.[1] ?? '1'
      serviceCounts.tries[attempt] = (serviceCounts.tries[attempt] ?? 0) + 1
      const latency = plan[service]?.latency ?? plan.latency
      const drawChance = (purpose: string) => hashToUnit(`${plan.seed} ${service} ${requestNumber} ${purpose}`)
      if (latency) await sleep(latency.from + (latency.to - latency.from) * drawChance('wait'))
      const { throttle = 0, error = 0, lost = 0 } = plan[service] ?? {}
      const faultChance = drawChance('what')
      if (faultChance < throttle) {
        serviceCounts.throttled++
        return sendFault(service, 'throttle', req, res)
      }
      if (faultChance < throttle + error) {
        serviceCounts.failed++
        return sendFault(service, 'error', req, res)
      }
      if (faultChance < throttle + error + lost) loseResponse(res, () => serviceCounts.lost++)
      return handle(req, res)
    },
    async control(req, res) {
      if (req.method === 'PUT') {
        try {
          start(parseFaultPlan(String((await readBody(req, MAX_PLAN_BYTES)) ?? 'the plan is too long')))
        } catch (error) {
          if (!(error instanceof FaultPlanError)) throw error
          return sendJson(res, 400, { message: error.message })
        }
      }
      sendJson(res, 200, { plan, services: counts })
    },
  }
}

/** The work is done when a response ends, so breaking the connection there only loses the response. */
function loseResponse(res: ServerResponse, onLost: () => void): void {
  res.end = (() => {
    onLost()
    res.destroy()
    return res
  }) as typeof res.end
}

/** A deterministic number in [0, 1): FNV-1a with murmur3's finalizer. */
function hashToUnit(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() })
  res.end(JSON.stringify(body))
}
