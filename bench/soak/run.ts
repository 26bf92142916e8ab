/**
 * `npm run bench -- soak [minutes]` (default 30): mixed load at a bounded rate. Requires no errors, exact counts, every commit
 * delivered and stable memory; writes bench/figures/soak.json and exits with 1 on failure.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, runLoad } from './load.ts'
import { computeSlope, type Sample, type Subject, startSubject } from './subject.ts'

const MINUTE = 60_000
const SAMPLE_MS = 15_000
const WARM_UP_SHARE = 0.3
/** Maximum heap growth in megabytes per minute after that. Leaking request bodies would cause many times as much. */
const MAX_SLOPE = 1

const minutes = Number(process.argv[2] ?? 30)
if (!(minutes > 0)) throw new Error(`${process.argv[2]} is no number of minutes.`)

async function runWithSampling(
  subject: Subject,
  work: () => Promise<Load>,
): Promise<{ done: Load; samples: Sample[] }> {
  const samples: Sample[] = []
  const began = Date.now()
  let running = true
  const sampling = (async () => {
    while (running) {
      samples.push({ minute: (Date.now() - began) / MINUTE, ...(await subject.memory()) })
      await sleep(SAMPLE_MS)
    }
  })()
  const done = await work()
  running = false
  await sampling
  return { done, samples }
}

const roundHundredths = (value: number): number => Math.round(value * 100) / 100

function computePercentiles(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const percentile = (part: number): number =>
    roundHundredths(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!)
  return {
    count: sorted.length,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    max: percentile(1),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'wharf-soak-'))
const subject = await startSubject(folder)
try {
  const percentile = new Date().toISOString()
  const { done, samples } = await runWithSampling(subject, () => runLoad(subject.local, Date.now() + minutes * MINUTE))
  const warm = samples.filter(({ minute }) => minute >= minutes * WARM_UP_SHARE)
  const slope = roundHundredths(computeSlope(warm, ({ heap }) => heap))
  const { counts, errors } = done
  const requests = [...done.times.values()].reduce((sum, times) => sum + times.length, 0)
  const latencies = [...done.times].map(([what, times]) => [what, computePercentiles(times)] as const)
  const failures = [
    ...(errors.length > 0 ? [`${errors.length} errors, the first: ${errors[0]}`] : []),
    ...(slope > MAX_SLOPE ? [`the heap grows by ${slope} MB a minute`] : []),
    ...(counts.rows === counts.expectedRows ? [] : [`${counts.rows} rows instead of ${counts.expectedRows}`]),
    ...(counts.undelivered > 0 ? [`the agent did not receive ${counts.undelivered} commits`] : []),
  ]
  const result = {
    ...{
      at: percentile,
      minutes,
      machine: `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`,
    },
    ...{ requests, counts, failures, errors: errors.slice(0, 20) },
    milliseconds: Object.fromEntries(latencies),
    memory: { unit: 'MB', heapSlopePerMinute: slope, target: MAX_SLOPE, samples: samples.map(roundSample) },
  }
  const figures = resolve(import.meta.dirname, '../figures')
  mkdirSync(figures, { recursive: true })
  writeFileSync(join(figures, 'soak.json'), `${JSON.stringify(result, null, 1)}\n`)
  console.table(result.milliseconds)
  console.log(`${requests} requests in ${minutes} min, heap ${slope} MB a minute`, counts)
  for (const failure of failures) console.error(failure)
  process.exitCode = failures.length > 0 ? 1 : 0
} finally {
  await subject.stop()
  rmSync(folder, { recursive: true, force: true })
}

function roundSample(sample: Sample): Sample {
  return Object.fromEntries(
    Object.entries(sample).map(([name, value]) => [name, roundHundredths(value)]),
  ) as unknown as Sample
}
