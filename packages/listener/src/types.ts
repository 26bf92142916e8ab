import type { Body, Item, Schemas, Wharf } from '../../sdk/src/index.ts'
import type { Events } from './topics.generated.ts'

export type Topic = keyof Events

type DomainOf<T extends string> = T extends `${infer Domain}:${string}` ? Domain : never

export type Matching<P extends string> = P extends Topic
  ? P
  : P extends '**' | '*:*'
    ? Topic
    : P extends `*:${infer Action}`
      ? Extract<Topic, `${string}:${Action}`>
      : P extends `${infer Domain}:*`
        ? Extract<Topic, `${Domain}:${string}`>
        : never

type CustomTopic<P extends string> = P extends `${string}*${string}`
  ? never
  : P extends `${infer Domain}:${string}`
    ? Domain extends DomainOf<Topic>
      ? never
      : P
    : never

/** A topic of the platform, a pattern that matches some, or a topic in a domain that is not the platform's. */
export type TopicPattern<P extends string> = P extends unknown
  ? [Matching<P>] extends [never]
    ? CustomTopic<P>
    : P
  : never

export interface DeliveredEvent {
  id: string
  topic: string
  domain: string
  context: Record<string, unknown>
  payload: unknown
  namespaces?: string[]
  attributes?: unknown
  dataUrl?: string
  createdAt: string
}

interface Slugs {
  space?: string
  workbook?: string
  sheet?: string
}

interface FurtherContext {
  sheetSlug?: string
  slugs?: Slugs
  commitId?: string
  precedingEventId?: string
}

export type SheetRecord = Item<'records.list'>
export type RecordChange = Body<'records.update'>[number]

interface EventBase {
  readonly id: string
  readonly domain: string
  readonly namespaces: readonly string[]
  readonly attributes?: unknown
  readonly createdAt: string
  readonly src: DeliveredEvent
  readonly wharf: Wharf
  /** @throws Error if the secret does not exist in the environment or space of the event */
  secret(name: string): Promise<string>
}

interface SheetEvent {
  /** The records that the event is about. Those deleted meanwhile are left out. */
  records(): Promise<SheetRecord[]>
  /** Updates records of the sheet in reply to the event: the same agent is not called for this commit. */
  update(changes: readonly RecordChange[]): Promise<void>
}

export type TopicEvent<T extends Topic> = EventBase & {
  readonly topic: T
  readonly payload: Events[T]['payload']
  readonly context: Events[T]['context'] & FurtherContext
} & (Events[T]['context'] extends { sheetId: string } ? SheetEvent : unknown)

export interface CustomEvent<P extends string> extends EventBase {
  readonly topic: P
  readonly payload: Record<string, unknown>
  readonly context: { accountId: string; environmentId: string; [key: string]: unknown }
}

export type EventOf<P extends string> = P extends unknown
  ? [Matching<P>] extends [never]
    ? CustomEvent<P>
    : { [T in Topic]: TopicEvent<T> }[Matching<P>]
  : never

type FilterValue = string | number | boolean | null | readonly (string | number | boolean | null)[] | object
type KeysOfUnion<U> = U extends unknown ? keyof U : never
type KnownKey<T extends Topic> =
  | KeysOfUnion<Events[T]['payload']>
  | KeysOfUnion<Events[T]['context']>
  | keyof FurtherContext
  | keyof Slugs
  | 'namespaces'
  | 'payload'
  | 'context'
  | 'attributes'

/** Names and values can be patterns. A name without a dot matches at any depth, as `sheet` does in `context.slugs.sheet`. */
export type Filter<P extends string> = [Matching<P>] extends [never]
  ? { [key: string]: FilterValue }
  : { [K in KnownKey<Matching<P>> | `${string}.${string}` | `${string}*${string}`]?: FilterValue }

export type Handler<P extends string> = (event: EventOf<P>) => unknown

export type Operation = `${Schemas['Job']['type']}:${string}`

/** Becomes the outcome of the completed job; a text is its message. */
export type JobResult = string | NonNullable<NonNullable<Body<'jobs.complete'>>['outcome']> | undefined

export interface RunningJob {
  readonly id: string
  readonly operation: string
  readonly input: Record<string, unknown>
  readonly context: TopicEvent<'job:ready'>['context']
  readonly event: TopicEvent<'job:ready'>
  readonly wharf: Wharf
  /** Aborted when the platform refuses the progress because the job was canceled or has ended. */
  readonly signal: AbortSignal
  progress(percent: number, info?: string): Promise<void>
}

// biome-ignore lint/suspicious/noConfusingVoidType: handlers without a result are functions of type void
export type JobHandler = (job: RunningJob) => Promise<JobResult | void> | JobResult | void
