/**
 * Schedule expressions of rules, `rate(5 minutes)` and `cron(0 12 * * ? *)`, in UTC: when they run next, and running
 * something at those times. Knows nothing of rules.
 */
import { Cron } from 'croner'
import { validationError } from '../lambda/wire.ts'

/**
 * The first time a schedule runs after `after`, if it ever does. `since` is the time from which a rate counts.
 * All in milliseconds since 1970.
 */
export type NextRun = (after: number, since: number) => number | undefined

export interface RunningSchedule {
  stop(): void
}

const RATE = /^rate\((\d+) (minute|hour|day)(s?)\)$/
const CRON = /^cron\((.+)\)$/
const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
/** Node's timers cannot wait longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

const invalidSchedule = () => validationError('Parameter ScheduleExpression is not valid.')

/** Reads a schedule expression. Throws ValidationException. */
export function parseSchedule(expression: string): NextRun {
  const rate = RATE.exec(expression)
  if (rate) return parseRate(Number(rate[1]), rate[2]!, rate[3] === 's')
  const cron = CRON.exec(expression)
  if (cron) return parseCron(cron[1]!)
  throw invalidSchedule()
}

/** Calls `run` at each of a schedule's times from now on. Never keeps the process from ending. */
export function runOnSchedule(nextRun: NextRun, since: number, run: () => void): RunningSchedule {
  let timer: NodeJS.Timeout | undefined
  const waitFor = (due: number | undefined) => {
    if (due === undefined) return
    const wait = due - Date.now()
    timer = setTimeout(() => wake(due), Math.max(0, Math.min(wait, LONGEST_TIMER_MS))).unref()
  }
  const wake = (due: number) => {
    if (Date.now() < due) return waitFor(due)
    waitFor(nextRun(Date.now(), since))
    run()
  }
  waitFor(nextRun(Date.now(), since))
  return { stop: () => clearTimeout(timer) }
}

function parseRate(value: number, unit: string, plural: boolean): NextRun {
  if (value < 1 || value > 1 !== plural) throw invalidSchedule()
  const periodMs = value * UNIT_MS[unit]!
  return (after, since) => since + periodMs * Math.max(1, Math.floor((after - since) / periodMs) + 1)
}

/** AWS's six fields: minutes, hours, day of month, month, day of week (1 is Sunday), year; one of the days is `?`. */
function parseCron(text: string): NextRun {
  const fields = text.trim().split(/\s+/)
  const [, , dayOfMonth, , dayOfWeek] = fields
  if (fields.length !== 6 || (dayOfMonth === '?') === (dayOfWeek === '?')) throw invalidSchedule()
  const [minutes, hours, days, months, weekdays, years] = fields.map((field) => (field === '?' ? '*' : field))
  const pattern = `0 ${minutes} ${hours} ${days} ${months} ${lastWeekday(weekdays!)} ${years}`
  try {
    const cron = new Cron(pattern, { mode: '7-part', alternativeWeekdays: true, sloppyRanges: true, timezone: 'UTC' })
    return (after) => cron.nextRun(new Date(after))?.getTime()
  } catch {
    throw invalidSchedule()
  }
}

/** AWS writes the last Friday of a month `6L`, croner `6#L`. */
const lastWeekday = (field: string) => field.replace(/^(\w+)L$/, '$1#L')
