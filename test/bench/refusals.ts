/** How long it takes to refuse each hostile file, and how much memory: the slowest and the largest of them. */
import { HOSTILE } from '../support/hostile-files.ts'
import { readThrough } from '../support/read-tables.ts'
import type { BenchRow } from './row.ts'

const MILLISECONDS = 100
const MEGABYTES = 50
const MB = 1024 * 1024

export async function refusalRows(): Promise<BenchRow[]> {
  const found: { name: string; ms: number; mb: number }[] = []
  for (const { name, bytes, options } of HOSTILE) {
    const all = bytes()
    // Readers are loaded, and compiled, by a first time.
    await readThrough(name, all, options).catch(() => {})
    const memory = process.memoryUsage.rss()
    const start = performance.now()
    const refused = await readThrough(name, all, options).then(
      () => false,
      () => true,
    )
    if (!refused) throw new Error(`${name} is read.`)
    found.push({ name, ms: performance.now() - start, mb: (process.memoryUsage.rss() - memory) / MB })
  }
  const slowest = found.toSorted((a, b) => b.ms - a.ms)[0]!
  const largest = found.toSorted((a, b) => b.mb - a.mb)[0]!
  const within = found.filter(({ ms }) => ms <= MILLISECONDS).length
  return [
    {
      what: `refusing ${slowest.name}, the slowest`,
      value: slowest.ms,
      reference: 'limit',
      referenceValue: MILLISECONDS,
      reach: 1,
    },
    {
      what: `refusing ${largest.name}, the largest`,
      unit: 'MB',
      value: Math.max(0, largest.mb),
      reference: 'limit',
      referenceValue: MEGABYTES,
      reach: 1,
    },
    {
      what: 'hostile files refused in time',
      unit: '%',
      value: (100 * within) / found.length,
      reference: 'all',
      referenceValue: 100,
      reach: 1,
      atLeast: true,
    },
  ]
}
