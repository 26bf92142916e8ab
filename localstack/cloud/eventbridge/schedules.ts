/**
 * The schedules of rules that are running: one for each enabled rule that has a schedule, started and stopped as rules
 * change. Knows nothing of targets.
 */
import type { Rule } from './buses.ts'
import { parseSchedule, type RunningSchedule, runOnSchedule } from './schedule.ts'

export class Schedules {
  readonly #running = new Map<string, RunningSchedule>()
  readonly #run: (rule: Rule) => void

  /** `run` is called with the rule as it was when it was last set. */
  constructor(run: (rule: Rule) => void) {
    this.#run = run
  }

  /** Brings the schedule of a new or changed rule up to date. */
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
