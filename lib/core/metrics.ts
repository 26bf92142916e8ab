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

/** Made at its first use, for it reads the environment; making one takes longer than all it does. */
let metrics: Metrics | undefined

/** Several at once are one line, written before this returns: functions of one process do not get into each other's way. */
export function measure(values: Partial<Record<Metric, number>>): void {
  metrics ??= new Metrics({ namespace: NAMESPACE })
  for (const [name, value] of Object.entries(values)) metrics.addMetric(name, METRICS[name as Metric], value)
  metrics.publishStoredMetrics()
}
