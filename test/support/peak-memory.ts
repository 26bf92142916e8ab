/** The most memory a process had. */
import { readFileSync } from 'node:fs'

/** Megabytes; of this process unless told. From Linux's own book: `maxRSS` also counts what the process was forked from. */
export function peakMegabytes(pid?: number): number {
  if (process.platform !== 'linux') return pid === undefined ? process.resourceUsage().maxRSS / 1024 : Number.NaN
  const status = readFileSync(`/proc/${pid ?? 'self'}/status`, 'utf8')
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)![1]) / 1024
}
