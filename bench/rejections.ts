import { HOSTILE } from '../test/support/hostile-files.ts'
import { readWithoutKeeping } from '../test/support/read-tables.ts'
import type { BenchRow } from './row.ts'

const LIMIT_MS = 100
const LIMIT_MB = 50
const MB = 1024 * 1024

export async function measureRejections(): Promise<BenchRow[]> {
  const results: { name: string; ms: number; mb: number }[] = []
  for (const { name, bytes, options } of HOSTILE) {
    const content = bytes()
    await readWithoutKeeping(name, content, options).catch(() => {})
    const memory = process.memoryUsage.rss()
    const start = performance.now()
    const rejected = await readWithoutKeeping(name, content, options).then(
      () => false,
      () => true,
    )
    if (!rejected) throw new Error(`${name} is read.`)
    results.push({ name, ms: performance.now() - start, mb: (process.memoryUsage.rss() - memory) / MB })
  }
  const slowest = results.toSorted((a, b) => b.ms - a.ms)[0]!
  const largest = results.toSorted((a, b) => b.mb - a.mb)[0]!
  const within = results.filter(({ ms }) => ms <= LIMIT_MS).length
  return [
    {
      what: `slowest rejection: ${slowest.name}`,
      value: slowest.ms,
      reference: 'limit',
      referenceValue: LIMIT_MS,
      target: 1,
    },
    {
      what: `rejection with the most memory: ${largest.name}`,
      unit: 'MB',
      value: Math.max(0, largest.mb),
      reference: 'limit',
      referenceValue: LIMIT_MB,
      target: 1,
    },
    {
      what: 'hostile files rejected within the limit',
      unit: '%',
      value: (100 * within) / results.length,
      reference: 'all',
      referenceValue: 100,
      target: 1,
      atLeast: true,
    },
  ]
}
