/**
 * What the platform measures of itself, as CloudWatch metrics by log lines (EMF, Powertools): no call, no waiting. Few names,
 * each with one dimension, the deployment's name: ten metrics of one's own cost nothing. Requests told to wait are counted from
 * the log instead (functions/alarms.yml): functions of the API start without this.
 */
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'

export const METRICS = {
  /** Extractions that ended well, and those that failed. */
  Imports: MetricUnit.Count,
  ImportsFailed: MetricUnit.Count,
  /** Records made, in whichever way. */
  Rows: MetricUnit.Count,
  /** From the commit of an event to its arrival at a function. */
  EventLag: MetricUnit.Milliseconds,
  /** Events a crash left between commit and bus. */
  EventsRecovered: MetricUnit.Count,
  AgentRuns: MetricUnit.Count,
  AgentFailures: MetricUnit.Count,
} as const
export type Metric = keyof typeof METRICS

export const NAMESPACE = 'Wharf'

/** Several at once are one line. */
export function measure(values: Partial<Record<Metric, number>>): void {
  // One of its own each time: on one machine many functions share a process.
  const metrics = new Metrics({ namespace: NAMESPACE })
  for (const [name, value] of Object.entries(values)) metrics.addMetric(name, METRICS[name as Metric], value)
  metrics.publishStoredMetrics()
}
