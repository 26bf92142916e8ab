import { readFileSync } from 'node:fs'

/** In megabytes, from /proc on Linux: `maxRSS` also includes the parent process of a fork. */
export function readPeakMegabytes(pid?: number): number {
  if (process.platform !== 'linux') return pid === undefined ? process.resourceUsage().maxRSS / 1024 : Number.NaN
  const status = readFileSync(`/proc/${pid ?? 'self'}/status`, 'utf8')
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)![1]) / 1024
}
