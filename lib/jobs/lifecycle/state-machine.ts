/** The state machine of jobs as one table of transitions. Pure. */
import type { JobStatus } from '../../../schemas/jobs/shape.ts'

export const TRIGGERS = [
  'create',
  'createImmediate',
  'createPlanned',
  'createScheduled',
  'createWaiting',
  'plan',
  'schedule',
  'execute',
  'wait',
  'precede',
  'proceed',
  'acknowledge',
  'renew',
  'watch',
  'tell',
  'progress',
  'update',
  'complete',
  'fail',
  'cancel',
  'retry',
  'acknowledgeOutcome',
  'split',
  'completeParts',
] as const
export type Trigger = (typeof TRIGGERS)[number]

export const NOT_CREATED = 'none'
export type State = JobStatus | typeof NOT_CREATED

export type JobTopic =
  | 'job:created'
  | 'job:ready'
  | 'job:scheduled'
  | 'job:updated'
  | 'job:completed'
  | 'job:failed'
  | 'job:outcome-acknowledged'
  | 'job:parts-completed'

export interface Transition {
  on: Trigger
  from: readonly State[]
  to: JobStatus | 'same'
  emits: readonly JobTopic[]
}

const NOT_STARTED = ['created', 'planning', 'scheduled'] as const
const OPEN = [...NOT_STARTED, 'ready', 'executing', 'waiting', 'parts-completed'] as const
const ENDED = ['completed', 'failed', 'canceled'] as const

export const TRANSITIONS: readonly Transition[] = [
  { on: 'create', from: [NOT_CREATED], to: 'created', emits: ['job:created'] },
  { on: 'createImmediate', from: [NOT_CREATED], to: 'ready', emits: ['job:created', 'job:ready'] },
  { on: 'createPlanned', from: [NOT_CREATED], to: 'planning', emits: ['job:created', 'job:updated'] },
  { on: 'createScheduled', from: [NOT_CREATED], to: 'scheduled', emits: ['job:created', 'job:scheduled'] },
  { on: 'createWaiting', from: [NOT_CREATED], to: 'waiting', emits: ['job:created'] },
  { on: 'plan', from: ['created', 'planning'], to: 'planning', emits: ['job:updated'] },
  {
    on: 'plan',
    from: ['scheduled', 'ready', 'executing', 'waiting', 'parts-completed'],
    to: 'same',
    emits: ['job:updated'],
  },
  // Discards the current run; the job starts again at its time.
  { on: 'schedule', from: [...OPEN, ...ENDED], to: 'scheduled', emits: ['job:scheduled'] },
  { on: 'execute', from: NOT_STARTED, to: 'ready', emits: ['job:ready'] },
  // Clients repeat calls whose response they missed. A ready job is announced only once.
  { on: 'execute', from: ['ready'], to: 'same', emits: [] },
  { on: 'wait', from: NOT_STARTED, to: 'waiting', emits: ['job:updated'] },
  { on: 'wait', from: ['waiting'], to: 'same', emits: [] },
  { on: 'precede', from: OPEN, to: 'same', emits: [] },
  { on: 'proceed', from: ['waiting'], to: 'ready', emits: ['job:ready'] },
  { on: 'acknowledge', from: ['ready', 'executing', 'parts-completed'], to: 'executing', emits: ['job:updated'] },
  { on: 'renew', from: ['executing'], to: 'same', emits: [] },
  { on: 'watch', from: ['ready', 'executing'], to: 'same', emits: [] },
  { on: 'tell', from: [...OPEN, ...ENDED], to: 'same', emits: ['job:updated'] },
  { on: 'progress', from: OPEN, to: 'same', emits: ['job:updated'] },
  { on: 'update', from: [...OPEN, ...ENDED], to: 'same', emits: ['job:updated'] },
  // Some listeners complete a job they never acknowledged.
  { on: 'complete', from: ['ready', 'executing', 'parts-completed'], to: 'completed', emits: ['job:completed'] },
  { on: 'fail', from: OPEN, to: 'failed', emits: ['job:failed'] },
  { on: 'cancel', from: OPEN, to: 'canceled', emits: ['job:updated'] },
  { on: 'retry', from: ENDED, to: 'ready', emits: ['job:ready'] },
  { on: 'acknowledgeOutcome', from: ['completed', 'failed'], to: 'same', emits: ['job:outcome-acknowledged'] },
  { on: 'split', from: ['created', 'planning', 'ready', 'executing'], to: 'waiting', emits: ['job:updated'] },
  { on: 'completeParts', from: ['waiting'], to: 'parts-completed', emits: ['job:parts-completed'] },
]

export interface Step {
  to: JobStatus
  emits: readonly JobTopic[]
}

export function findStep(state: State, trigger: Trigger): Step | undefined {
  const transition = TRANSITIONS.find(({ on, from }) => on === trigger && from.includes(state))
  if (!transition) return undefined
  return { to: transition.to === 'same' ? (state as JobStatus) : transition.to, emits: transition.emits }
}

export const getAllowedStates = (trigger: Trigger): State[] =>
  TRANSITIONS.filter(({ on }) => on === trigger).flatMap(({ from }) => [...from])

export const hasStarted = (status: JobStatus): boolean => !(NOT_STARTED as readonly JobStatus[]).includes(status)

export const isEnded = (status: JobStatus): boolean => (ENDED as readonly JobStatus[]).includes(status)

export const getExecuteTrigger = ({
  pendingPredecessors,
}: {
  pendingPredecessors?: readonly string[] | undefined
}): Trigger => (pendingPredecessors?.length ? 'wait' : 'execute')
