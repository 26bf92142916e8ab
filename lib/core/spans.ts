import { AsyncLocalStorage } from 'node:async_hooks'
import { processEnv } from './env.ts'
import { lazy } from './lazy.ts'
import type { Outcome, Span } from './otlp.ts'
import { createChild, getTrace, type TraceContext, withTrace } from './trace-context.ts'

interface Work extends Pick<Span, 'name' | 'kind' | 'attributes'> {
  parent?: TraceContext | undefined
}

const MAX_SPANS_PER_INVOCATION = 1_000

const collected = new AsyncLocalStorage<Span[]>()

const loadExporter = lazy(() => import('./otlp.ts'))
const isExporting = lazy(async () => processEnv().OTEL_EXPORTER_OTLP_ENDPOINT !== undefined)

/** The outermost work exports all spans before it returns, because Lambda then freezes the process. */
export async function trace<T>(
  { name, kind, attributes, parent = getTrace() }: Work,
  work: () => Promise<T>,
  describe: (result: T) => Outcome = () => ({}),
): Promise<T> {
  const context = createChild(parent)
  const startedAt = Date.now()
  const started = performance.now()
  const record = (outcome: Outcome) =>
    recordSpan({
      name,
      kind,
      trace: context,
      parentId: parent?.spanId,
      startedAt,
      durationMs: performance.now() - started,
      attributes: { ...attributes, ...outcome.attributes },
      error: outcome.error,
    })
  return collect(async () => {
    try {
      const result = await withTrace(context, work)
      record(describe(result))
      return result
    } catch (error) {
      record({ error: (error as Error).name })
      throw error
    }
  })
}

export function recordSpan(span: Span): void {
  const spans = collected.getStore()
  if (spans && span.trace.sampled && spans.length < MAX_SPANS_PER_INVOCATION) spans.push(span)
}

async function collect<T>(work: () => Promise<T>): Promise<T> {
  if (collected.getStore() || !(await isExporting())) return work()
  const spans: Span[] = []
  try {
    return await collected.run(spans, work)
  } finally {
    if (spans.length > 0) await (await loadExporter()).exportSpans(spans)
  }
}
