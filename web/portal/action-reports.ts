/** Reports on started actions, for the page that embeds the importer. */
import type { Job } from './queries.ts'

export type ActionReport =
  | { phase: 'requested' }
  | { phase: 'rejected' }
  | { phase: 'started'; job: Job }
  | { phase: 'closed'; jobId: string; isPrimary: boolean }

const listeners = new Set<(report: ActionReport) => void>()

export function reportAction(report: ActionReport): void {
  for (const listener of listeners) listener(report)
}

export function onActionReport(listener: (report: ActionReport) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
