/** The most memory this process had. */
import { readFileSync } from 'node:fs'

/** Megabytes. From Linux's own book of this program: `maxRSS` also counts what the process was forked from. */
export function peakMegabytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024
}
