/** Schedule expressions, `rate(5 minutes)` and `cron(0 12 * * ? *)`, in UTC. */
import { Cron } from 'croner'
import { validationError } from '../lambda/wire.ts'

/** The first run later than `after`, or undefined. Rates count from `since`. All in milliseconds since 1970. */
export type NextRun = (after: number, since: number) => number | undefined

export interface RunningSchedule {
  stop(): void
}

const RATE = /^rate\((\d+) (minute|hour|day)(s?)\)$/
const CRON = /^cron\((.+)\)$/
const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
const MAX_TIMER_MS = 2 ** 31 - 1

const invalidSchedule = () => validationError('Parameter ScheduleExpression is not valid.')

export function parseSchedule(expression: string): NextRun {
  const rate = RATE.exec(expression)
  if (rate) return parseRate(Number(rate[1]), rate[2]!, rate[3] === 's')
  const cron = CRON.exec(expression)
  if (cron) return parseCron(cron[1]!)
  throw invalidSchedule()
}

export function runOnSchedule(nextRun: NextRun, since: number, run: () => void): RunningSchedule {
  let timer: NodeJS.Timeout | undefined
  const scheduleWake = (dueAt: number | undefined) => {
    if (dueAt === undefined) return
    const delayMs = dueAt - Date.now()
    timer = setTimeout(() => wake(dueAt), Math.max(0, Math.min(delayMs, MAX_TIMER_MS))).unref()
  }
  const wake = (dueAt: number) => {
    if (Date.now() < dueAt) return scheduleWake(dueAt)
    scheduleWake(nextRun(Date.now(), since))
    run()
  }
  scheduleWake(nextRun(Date.now(), since))
  return { stop: () => clearTimeout(timer) }
}

function parseRate(value: number, unit: string, plural: boolean): NextRun {
  if (value < 1 || value > 1 !== plural) throw invalidSchedule()
  const periodMs = value * UNIT_MS[unit]!
  return (after, since) => since + periodMs * Math.max(1, Math.floor((after - since) / periodMs) + 1)
}

/** Six fields: minutes, hours, day of month, month, day of week (1 is Sunday), year; one of the days is `?`. */
function parseCron(text: string): NextRun {
  const fields = text.trim().split(/\s+/)
  const [, , dayOfMonth, , dayOfWeek] = fields
  if (fields.length !== 6 || (dayOfMonth === '?') === (dayOfWeek === '?')) throw invalidSchedule()
  const [minutes, hours, days, months, weekdays, years] = fields.map((field) => (field === '?' ? '*' : field))
  const pattern = `0 ${minutes} ${hours} ${days} ${months} ${convertLastWeekday(weekdays!)} ${years}`
  try {
    const cron = new Cron(pattern, { mode: '7-part', alternativeWeekdays: true, sloppyRanges: true, timezone: 'UTC' })
    return (after) => cron.nextRun(new Date(after))?.getTime()
  } catch {
    throw invalidSchedule()
  }
}

/** AWS writes the last Friday of a month `6L`, croner `6#L`. */
const convertLastWeekday = (field: string) => field.replace(/^(\w+)L$/, '$1#L')
