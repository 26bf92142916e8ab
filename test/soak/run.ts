/**
 * `npm run soak [minutes]` (30): a mixed load at a bounded rate on the platform in a process of its own. No error, every count exact,
 * every commit told of, and memory after collections flat. The result is kept in docs/figures/soak.json; one that fails ends with 1.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Load, load } from './load.ts'
import { type Sample, type Subject, slopeOf, startSubject } from './subject.ts'

const MINUTE = 60_000
const SAMPLE_MS = 15_000
/** Until caches are full and code is compiled. */
const WARM_PART = 0.3
/** Megabytes a minute the heap may grow after that: a leak of a request's body would be many times as much. */
const SLOPE = 1

const minutes = Number(process.argv[2] ?? 30)
if (!(minutes > 0)) throw new Error(`${process.argv[2]} is no number of minutes.`)

async function sampled(subject: Subject, work: () => Promise<Load>): Promise<{ done: Load; samples: Sample[] }> {
  const samples: Sample[] = []
  const began = Date.now()
  let running = true
  const sampling = (async () => {
    while (running) {
      samples.push({ minute: (Date.now() - began) / MINUTE, ...(await subject.memory()) })
      await new Promise((next) => setTimeout(next, SAMPLE_MS))
    }
  })()
  const done = await work()
  running = false
  await sampling
  return { done, samples }
}

const rounded = (value: number): number => Math.round(value * 100) / 100

function percentiles(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number => rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!)
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

const folder = mkdtempSync(join(tmpdir(), 'wharf-soak-'))
const subject = await startSubject(folder)
try {
  const at = new Date().toISOString()
  const { done, samples } = await sampled(subject, () => load(subject.local, Date.now() + minutes * MINUTE))
  const warm = samples.filter(({ minute }) => minute >= minutes * WARM_PART)
  const slope = rounded(slopeOf(warm, ({ heap }) => heap))
  const { counts, errors } = done
  const requests = [...done.times.values()].reduce((sum, times) => sum + times.length, 0)
  const latencies = [...done.times].map(([what, times]) => [what, percentiles(times)] as const)
  const failures = [
    ...(errors.length > 0 ? [`${errors.length} errors, the first: ${errors[0]}`] : []),
    ...(slope > SLOPE ? [`the heap grows by ${slope} MB a minute`] : []),
    ...(counts.rows === counts.expectedRows ? [] : [`${counts.rows} rows instead of ${counts.expectedRows}`]),
    ...(counts.untold > 0 ? [`the agent was not told of ${counts.untold} commits`] : []),
  ]
  const result = {
    ...{ at, minutes, machine: `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}` },
    ...{ requests, counts, failures, errors: errors.slice(0, 20) },
    milliseconds: Object.fromEntries(latencies),
    memory: { unit: 'MB', heapSlopePerMinute: slope, reach: SLOPE, samples: samples.map(roundedSample) },
  }
  const figures = resolve(import.meta.dirname, '../../docs/figures')
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

function roundedSample(sample: Sample): Sample {
  return Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, rounded(value)])) as unknown as Sample
}
