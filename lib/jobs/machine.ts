/** A job's life as one table of moves, and the pure step over it. Knows no storage and no clock. */
import type { JobStatus } from '../../schemas/job.ts'

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

/** The state of a job that is not there yet. */
export const NONE = 'none'
export type State = JobStatus | typeof NONE

export type JobTopic =
  | 'job:created'
  | 'job:ready'
  | 'job:scheduled'
  | 'job:updated'
  | 'job:completed'
  | 'job:failed'
  | 'job:outcome-acknowledged'
  | 'job:parts-completed'

export interface Move {
  on: Trigger
  from: readonly State[]
  /** `same`: the state stays. */
  to: JobStatus | 'same'
  emits: readonly JobTopic[]
}

const WAITING = ['created', 'planning', 'scheduled'] as const
const OPEN = [...WAITING, 'ready', 'executing', 'waiting', 'parts-completed'] as const
const ENDED = ['completed', 'failed', 'canceled'] as const

export const MOVES: readonly Move[] = [
  { on: 'create', from: [NONE], to: 'created', emits: ['job:created'] },
  { on: 'createImmediate', from: [NONE], to: 'ready', emits: ['job:created', 'job:ready'] },
  { on: 'createPlanned', from: [NONE], to: 'planning', emits: ['job:created', 'job:updated'] },
  { on: 'createScheduled', from: [NONE], to: 'scheduled', emits: ['job:created', 'job:scheduled'] },
  // Immediate, and after others that have not completed.
  { on: 'createWaiting', from: [NONE], to: 'waiting', emits: ['job:created'] },
  { on: 'plan', from: ['created', 'planning'], to: 'planning', emits: ['job:updated'] },
  {
    on: 'plan',
    from: ['scheduled', 'ready', 'executing', 'waiting', 'parts-completed'],
    to: 'same',
    emits: ['job:updated'],
  },
  // What has begun is given up, and begins anew when its time comes.
  { on: 'schedule', from: [...OPEN, ...ENDED], to: 'scheduled', emits: ['job:scheduled'] },
  { on: 'execute', from: WAITING, to: 'ready', emits: ['job:ready'] },
  // Clients repeat a call whose answer they missed; a ready job has been announced once and is not announced again.
  { on: 'execute', from: ['ready'], to: 'same', emits: [] },
  // Executed before its predecessors have completed.
  { on: 'wait', from: WAITING, to: 'waiting', emits: ['job:updated'] },
  { on: 'wait', from: ['waiting'], to: 'same', emits: [] },
  // One of its predecessors has completed; with the last of them it is ready.
  { on: 'precede', from: OPEN, to: 'same', emits: [] },
  { on: 'proceed', from: ['waiting'], to: 'ready', emits: ['job:ready'] },
  { on: 'acknowledge', from: ['ready', 'executing', 'parts-completed'], to: 'executing', emits: ['job:updated'] },
  // The platform's own run shows that it is alive; that is nobody else's news.
  { on: 'renew', from: ['executing'], to: 'same', emits: [] },
  // The clock found it alive and looks again later.
  { on: 'watch', from: ['ready', 'executing'], to: 'same', emits: [] },
  // What was held back (lib/jobs/telling.ts) is told.
  { on: 'tell', from: [...OPEN, ...ENDED], to: 'same', emits: ['job:updated'] },
  { on: 'progress', from: OPEN, to: 'same', emits: ['job:updated'] },
  { on: 'update', from: [...OPEN, ...ENDED], to: 'same', emits: ['job:updated'] },
  // Some listeners end a job they never acknowledged.
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

/** Where a trigger leads from a state and what it tells; undefined when the move does not exist. */
export function step(state: State, trigger: Trigger): Step | undefined {
  const move = MOVES.find(({ on, from }) => on === trigger && from.includes(state))
  if (!move) return undefined
  // A job that is not there cannot stay as it is: no row leaves `none` with `same`.
  return { to: move.to === 'same' ? (state as JobStatus) : move.to, emits: move.emits }
}

/** The states a trigger is allowed in, for people who used it in another. */
export const statesFor = (trigger: Trigger): State[] =>
  MOVES.filter(({ on }) => on === trigger).flatMap(({ from }) => [...from])

/** Has somebody begun on a job in this state, or ended it? */
export const hasBegun = (status: JobStatus): boolean => !(WAITING as readonly JobStatus[]).includes(status)

export const isEnded = (status: JobStatus): boolean => (ENDED as readonly JobStatus[]).includes(status)

/** What executing means for a job: it waits as long as one of its predecessors has not completed. */
export const toExecute = ({ awaits }: { awaits?: readonly string[] | undefined }): Trigger =>
  awaits?.length ? 'wait' : 'execute'
