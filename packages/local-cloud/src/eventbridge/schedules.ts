/** The running schedules: one per enabled rule with a schedule. */
import type { Rule } from './buses.ts'
import { parseSchedule, type RunningSchedule, runOnSchedule } from './schedule.ts'

export class Schedules {
  readonly #running = new Map<string, RunningSchedule>()
  readonly #run: (rule: Rule) => void

  constructor(run: (rule: Rule) => void) {
    this.#run = run
  }

  set(rule: Rule): void {
    this.remove(rule.arn)
    if (!rule.schedule || rule.state === 'DISABLED') return
    const since = rule.scheduledSince ?? Date.now()
    this.#running.set(
      rule.arn,
      runOnSchedule(parseSchedule(rule.schedule), since, () => this.#run(rule)),
    )
  }

  remove(arn: string): void {
    this.#running.get(arn)?.stop()
    this.#running.delete(arn)
  }

  close(): void {
    for (const arn of [...this.#running.keys()]) this.remove(arn)
  }
}
