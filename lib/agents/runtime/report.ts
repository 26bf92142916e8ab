/** The report of a run: its result on success, the last line of the error's trace on failure. */
export interface Report {
  success: boolean
  log: string
  startedAt: string
  duration: number
  memory: number
  requestCount: number
  requestTime: number
  bytesReceived: number
  bytesSent: number
  spanId: string
}

export const REPORT_MARK = 'agent-report '

export const NO_ROUTE = 'NoRoute'
