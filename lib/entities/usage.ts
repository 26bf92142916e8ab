/**
 * What environments used, by month (UTC): counted once however often its cause is told of, and kept when what was made is
 * deleted, with its environment too. What is used while an environment is a production one counts toward credits.
 */
import { METERS, type Used } from '../../schemas/usage.ts'
import { addOnce, sumsOf } from '../table/sums.ts'
import { Environments } from './environments.ts'

const DAY = 86_400_000
/** What is older is not counted: by then everything was told of, and a replay of it is no use. */
const COUNTED_DAYS = 30
/** Longer than a cause can come again. */
const REMEMBERED_DAYS = COUNTED_DAYS + 5

export interface UsedBy {
  accountId: string
  environmentId: string
}

/** One cause of use: an event, a commit, a run. */
export interface Cause extends UsedBy {
  id: string
  /** ISO-8601. */
  at: string
}

export const monthOf = (time: string): string => time.slice(0, 'yyyy-mm'.length)

const partOf = (month: string, environmentId: string, isProd: boolean): string =>
  `${month}#${environmentId}#${isProd ? 'prod' : 'dev'}`

/** @returns whether it was counted now: not again, and not what is too old */
export async function count({ id, at, accountId, environmentId }: Cause, used: Partial<Used>): Promise<boolean> {
  const time = Date.parse(at)
  const amounts = Object.fromEntries(Object.entries(used).filter(([, amount]) => amount > 0))
  if (Object.keys(amounts).length === 0 || Date.now() - time > COUNTED_DAYS * DAY) return false
  const isProd = (await Environments.get(environmentId))?.isProd ?? false
  const sum = { name: `usage#${accountId}`, part: partOf(monthOf(at), environmentId, isProd) }
  return addOnce(sum, id, amounts, Math.floor(Date.now() / 1000) + (REMEMBERED_DAYS * DAY) / 1000)
}

/** What an environment used in a month, by whether it counts toward credits. */
export interface MonthOfUse {
  environmentId: string
  used: Used
  credited: Used
}

const nothing = (): Used => Object.fromEntries(METERS.map((meter) => [meter, 0])) as Used

function add(to: Used, amounts: Record<string, number>): void {
  for (const meter of METERS) to[meter] += amounts[meter] ?? 0
}

/** Every environment of the account that used something, also those that are gone. */
export async function usedIn(accountId: string, month: string): Promise<MonthOfUse[]> {
  const found = new Map<string, MonthOfUse>()
  for (const [part, amounts] of await sumsOf(`usage#${accountId}`, `${month}#`)) {
    const [, environmentId = '', kind] = part.split('#')
    const one = found.get(environmentId) ?? { environmentId, used: nothing(), credited: nothing() }
    add(one.used, amounts)
    if (kind === 'prod') add(one.credited, amounts)
    found.set(environmentId, one)
  }
  return [...found.values()]
}

/** Of one environment; nothing but zeros where it used nothing. */
export const usedBy = async ({ accountId, environmentId }: UsedBy, month: string): Promise<MonthOfUse> =>
  (await usedIn(accountId, month)).find((one) => one.environmentId === environmentId) ?? {
    environmentId,
    used: nothing(),
    credited: nothing(),
  }
