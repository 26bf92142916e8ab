/** `topic()`: the one place where an event's payload and context are written. The event reference derives from it. */
import type * as z from 'zod'

export interface Topic {
  topic: `${string}:${string}`
  /** When it is emitted, in one clause. */
  when: string
  payload: z.ZodObject
  context: z.ZodObject
}

/** Declares a topic, keeping its literal types. */
export const topic = <const N extends `${string}:${string}`, P extends z.ZodObject, C extends z.ZodObject>(
  name: N,
  definition: { when: string; payload: P; context: C },
): { topic: N; when: string; payload: P; context: C } => ({ topic: name, ...definition })

/** A topic's domain is its name's first part. */
export const domainOfTopic = (name: string): string => name.slice(0, name.indexOf(':'))
