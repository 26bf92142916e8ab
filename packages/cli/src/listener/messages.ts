export type ListenerRequest = { type: 'load'; bundle: string; file: string } | { type: 'event'; event: { id: string } }

export interface Outcome {
  handler: string
  location: string
  milliseconds: number
  error?: string
  isJobFailure?: boolean
}

export type ListenerReply =
  | { type: 'loaded'; topics: string[]; isFunction: boolean }
  | { type: 'not-loaded'; error: string }
  | { type: 'handled'; id: string; outcomes: Outcome[] }
