/** Platform metrics as CloudWatch EMF log lines, without a call. The first ten custom metrics are free. */
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'

export const METRICS = {
  Imports: MetricUnit.Count,
  ImportsFailed: MetricUnit.Count,
  Rows: MetricUnit.Count,
  /** From a commit to the publication of its oldest event. */
  EventLag: MetricUnit.Milliseconds,
  EventsRecovered: MetricUnit.Count,
  AgentRuns: MetricUnit.Count,
  AgentFailures: MetricUnit.Count,
} as const
export type Metric = keyof typeof METRICS

export const NAMESPACE = 'Wharf'

/** Created on first use: it reads the environment, and creating it is slow. */
let metrics: Metrics | undefined

/** Writes one line before it returns, so concurrent functions cannot mix their values. */
export function recordMetrics(values: Partial<Record<Metric, number>>): void {
  metrics ??= new Metrics({ namespace: NAMESPACE })
  for (const [name, value] of Object.entries(values)) metrics.addMetric(name, METRICS[name as Metric], value)
  metrics.publishStoredMetrics()
}
