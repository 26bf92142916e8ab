/** `topic()` declares an event's payload and context. The event reference derives from it. */
import type * as z from 'zod'

export interface Topic {
  topic: `${string}:${string}`
  when: string
  payload: z.ZodObject
  context: z.ZodObject
}

export const topic = <const N extends `${string}:${string}`, P extends z.ZodObject, C extends z.ZodObject>(
  name: N,
  definition: { when: string; payload: P; context: C },
): { topic: N; when: string; payload: P; context: C } => ({ topic: name, ...definition })

export const domainOfTopic = (name: string): string => name.slice(0, name.indexOf(':'))
