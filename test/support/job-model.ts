/** A second, independent model of the job lifecycle, to check the state machine and the API against. */
import type { JobStatus } from '../../schemas/jobs/shape.ts'

export type EmittedEvent = [topic: string, status: JobStatus]
interface Next {
  to: JobStatus
  emits: string[]
}

const ENDS: readonly string[] = ['completed', 'failed', 'canceled']
const NOT_STARTED: readonly string[] = ['created', 'planning', 'scheduled']

const creations: Record<string, Next> = {
  create: { to: 'created', emits: ['job:created'] },
  createImmediate: { to: 'ready', emits: ['job:created', 'job:ready'] },
  createPlanned: { to: 'planning', emits: ['job:created', 'job:updated'] },
  createScheduled: { to: 'scheduled', emits: ['job:created', 'job:scheduled'] },
  createWaiting: { to: 'waiting', emits: ['job:created'] },
}

export function nextState(state: JobStatus | 'none', trigger: string): Next | undefined {
  if (trigger in creations) return state === 'none' ? creations[trigger] : undefined
  if (state === 'none') return undefined
  const isOpen = !ENDS.includes(state)
  const stay = (...emits: string[]): Next => ({ to: state, emits })
  const goTo = (to: JobStatus, topic: string): Next => ({ to, emits: [topic] })
  switch (trigger) {
    case 'plan':
      if (!isOpen) return undefined
      return state === 'created' || state === 'planning' ? goTo('planning', 'job:updated') : stay('job:updated')
    case 'schedule':
      return goTo('scheduled', 'job:scheduled')
    case 'execute':
      if (state === 'ready') return stay()
      return NOT_STARTED.includes(state) ? goTo('ready', 'job:ready') : undefined
    case 'wait':
      if (state === 'waiting') return stay()
      return NOT_STARTED.includes(state) ? goTo('waiting', 'job:updated') : undefined
    case 'precede':
      return isOpen ? stay() : undefined
    case 'proceed':
      return state === 'waiting' ? goTo('ready', 'job:ready') : undefined
    case 'acknowledge':
      return ['ready', 'executing', 'parts-completed'].includes(state) ? goTo('executing', 'job:updated') : undefined
    case 'renew':
      return state === 'executing' ? stay() : undefined
    case 'watch':
      return state === 'ready' || state === 'executing' ? stay() : undefined
    case 'progress':
      return isOpen ? stay('job:updated') : undefined
    case 'update':
    case 'tell':
      return stay('job:updated')
    case 'complete':
      return ['ready', 'executing', 'parts-completed'].includes(state) ? goTo('completed', 'job:completed') : undefined
    case 'fail':
      return isOpen ? goTo('failed', 'job:failed') : undefined
    case 'cancel':
      return isOpen ? goTo('canceled', 'job:updated') : undefined
    case 'retry':
      return isOpen ? undefined : goTo('ready', 'job:ready')
    case 'acknowledgeOutcome':
      return state === 'completed' || state === 'failed' ? stay('job:outcome-acknowledged') : undefined
    case 'split':
      return ['created', 'planning', 'ready', 'executing'].includes(state) ? goTo('waiting', 'job:updated') : undefined
    case 'completeParts':
      return state === 'waiting' ? goTo('parts-completed', 'job:parts-completed') : undefined
    default:
      throw new Error(`Unknown trigger ${trigger}.`)
  }
}

export const withoutUpdates = (events: readonly EmittedEvent[]): EmittedEvent[] =>
  events.filter(([topic, status], index) => topic !== 'job:updated' || events[index - 1]?.[1] !== status)
