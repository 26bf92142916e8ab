import { Listener, type On } from './listener.ts'

/** @throws TypeError if no topic matches one of its patterns */
export const createListener = (setup: (on: On) => void): Listener => new Listener(setup)

export type { HandlerResult, Listener, On } from './listener.ts'
export type { Plugin } from './plugin.ts'
export type { Events } from './topics.generated.ts'
export type {
  CustomEvent,
  DeliveredEvent,
  EventOf,
  Filter,
  Handler,
  JobHandler,
  JobResult,
  RecordChange,
  RunningJob,
  SheetRecord,
  Topic,
  TopicEvent,
} from './types.ts'
