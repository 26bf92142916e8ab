/** What a run tells the platform: as its result when it went well, at the end of the error's trace when it did not. */
export interface Report {
  success: boolean
  /** The console's text, bounded. */
  log: string
  /** ISO-8601. */
  startedAt: string
  /** Milliseconds. */
  duration: number
  /** Resident set size at the end, bytes. */
  memory: number
  requestCount: number
  /** Milliseconds spent waiting for answers, all requests added up. */
  requestTime: number
  /** What the network carried for these requests, as its sockets count it. */
  bytesReceived: number
  bytesSent: number
}

/** Begins the line of a failed run's trace that carries its report as JSON. */
export const REPORT_MARK = 'agent-report '

/** Name of the error of a bundle that has nothing to hand events to. */
export const NO_ROUTE = 'NoRoute'
