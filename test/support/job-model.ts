/** A job's life told a second time, in sentences instead of a table: what the machine and the API are held against. */
import type { JobStatus } from '../../schemas/job.ts'

export type Told = [topic: string, status: JobStatus]
interface Next {
  to: JobStatus
  tells: string[]
}

const ENDS: readonly string[] = ['completed', 'failed', 'canceled']
const NOT_BEGUN: readonly string[] = ['created', 'planning', 'scheduled']

const births: Record<string, Next> = {
  create: { to: 'created', tells: ['job:created'] },
  createImmediate: { to: 'ready', tells: ['job:created', 'job:ready'] },
  createPlanned: { to: 'planning', tells: ['job:created', 'job:updated'] },
  createScheduled: { to: 'scheduled', tells: ['job:created', 'job:scheduled'] },
  createWaiting: { to: 'waiting', tells: ['job:created'] },
}

/** Where a trigger leads a job in that state (`none`: not there yet), and what is told of it; undefined when it is refused. */
export function next(state: JobStatus | 'none', trigger: string): Next | undefined {
  if (trigger in births) return state === 'none' ? births[trigger] : undefined
  if (state === 'none') return undefined
  const isOpen = !ENDS.includes(state)
  const stays = (...tells: string[]): Next => ({ to: state, tells })
  const goes = (to: JobStatus, topic: string): Next => ({ to, tells: [topic] })
  switch (trigger) {
    case 'plan':
      if (!isOpen) return undefined
      return state === 'created' || state === 'planning' ? goes('planning', 'job:updated') : stays('job:updated')
    case 'schedule':
      return goes('scheduled', 'job:scheduled')
    case 'execute':
      if (state === 'ready') return stays()
      return NOT_BEGUN.includes(state) ? goes('ready', 'job:ready') : undefined
    case 'wait':
      if (state === 'waiting') return stays()
      return NOT_BEGUN.includes(state) ? goes('waiting', 'job:updated') : undefined
    case 'precede':
      return isOpen ? stays() : undefined
    case 'proceed':
      return state === 'waiting' ? goes('ready', 'job:ready') : undefined
    case 'acknowledge':
      return ['ready', 'executing', 'parts-completed'].includes(state) ? goes('executing', 'job:updated') : undefined
    case 'renew':
      return state === 'executing' ? stays() : undefined
    case 'watch':
      return state === 'ready' || state === 'executing' ? stays() : undefined
    case 'progress':
      return isOpen ? stays('job:updated') : undefined
    case 'update':
    case 'tell':
      return stays('job:updated')
    case 'complete':
      return ['ready', 'executing', 'parts-completed'].includes(state) ? goes('completed', 'job:completed') : undefined
    case 'fail':
      return isOpen ? goes('failed', 'job:failed') : undefined
    case 'cancel':
      return isOpen ? goes('canceled', 'job:updated') : undefined
    case 'retry':
      return isOpen ? undefined : goes('ready', 'job:ready')
    case 'acknowledgeOutcome':
      return state === 'completed' || state === 'failed' ? stays('job:outcome-acknowledged') : undefined
    case 'split':
      return ['created', 'planning', 'ready', 'executing'].includes(state) ? goes('waiting', 'job:updated') : undefined
    case 'completeParts':
      return state === 'waiting' ? goes('parts-completed', 'job:parts-completed') : undefined
    default:
      throw new Error(`There is no trigger ${trigger}.`)
  }
}

/** What must be told, whatever the clock says: updates that leave the state as it is may be held back. */
export const withoutUpdates = (told: readonly Told[]): Told[] =>
  told.filter(([topic, status], index) => topic !== 'job:updated' || told[index - 1]?.[1] !== status)
