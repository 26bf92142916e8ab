/** Monthly usage per environment (UTC), billable in production. Each cause counts once; usage survives deletion. */
import { METERS, type MeterTotals } from '../../schemas/accounts/usage.ts'
import { DAY_MS, DAY_SECONDS } from '../../schemas/kit/time.ts'
import { addNumberedOnce, addOnce, addWith, readCounters } from '../table/sharded-counters.ts'
import { transact } from '../table/transact.ts'
import type { Write } from '../table/write.ts'
import { Environments } from './environments.ts'

/** Older causes are ignored: everything has been reported by then, and a replay is not usage. */
const MAX_CAUSE_AGE_DAYS = 30
/** Longer than a cause can be reported again. */
const DEDUPLICATION_DAYS = MAX_CAUSE_AGE_DAYS + 5

export interface UsageScope {
  accountId: string
  environmentId: string
}

export interface UsageCause extends UsageScope {
  id: string
  at: string
}

export const getMonth = (time: string): string => time.slice(0, 'yyyy-mm'.length)

const buildCounterPart = (month: string, environmentId: string, isProd: boolean): string =>
  `${month}#${environmentId}#${isProd ? 'prod' : 'dev'}`

/** @returns false for a repeated or too old cause */
export async function recordUsage(cause: UsageCause, used: Partial<MeterTotals>): Promise<boolean> {
  const metered = await findCounter(cause, used)
  const expires = Math.floor(Date.now() / 1000) + DEDUPLICATION_DAYS * DAY_SECONDS
  return metered !== undefined && addOnce(metered.counter, cause.id, metered.amounts, expires)
}

export async function recordUsageWith(
  planWrites: () => Promise<readonly Write[]>,
  cause: UsageCause,
  used: Partial<MeterTotals>,
): Promise<void> {
  const [writes, metered] = await Promise.all([planWrites(), findCounter(cause, used)])
  if (writes.length === 0) return
  if (metered === undefined) return transact([...writes])
  await addWith(writes, metered.counter, cause.id, metered.amounts)
}

export async function recordUsageOfCommit(
  cause: Omit<UsageCause, 'id'> & { sheetId: string; version: number; isProd: Promise<boolean> | undefined },
  used: Partial<MeterTotals>,
): Promise<boolean> {
  const metered = await findCounter(cause, used)
  const { sheetId: source, version: number } = cause
  return metered !== undefined && addNumberedOnce(metered.counter, { source, number }, metered.amounts)
}

export const readIsProd = async (environmentId: string): Promise<boolean> =>
  (await Environments.get(environmentId))?.isProd ?? false

async function findCounter(
  { at, accountId, environmentId, isProd }: Omit<UsageCause, 'id'> & { isProd?: Promise<boolean> | undefined },
  used: Partial<MeterTotals>,
) {
  const amounts = Object.fromEntries(Object.entries(used).filter(([, amount]) => amount > 0))
  if (Object.keys(amounts).length === 0 || Date.now() - Date.parse(at) > MAX_CAUSE_AGE_DAYS * DAY_MS) return undefined
  const part = buildCounterPart(getMonth(at), environmentId, await (isProd ?? readIsProd(environmentId)))
  return { amounts, counter: { name: `usage#${accountId}`, part } }
}

export interface MonthlyUsage {
  environmentId: string
  used: MeterTotals
  billable: MeterTotals
}

const createZeroUsage = (): MeterTotals => Object.fromEntries(METERS.map((meter) => [meter, 0])) as MeterTotals

function addAmounts(to: MeterTotals, amounts: Record<string, number>): void {
  for (const meter of METERS) to[meter] += amounts[meter] ?? 0
}

/** Includes deleted environments. */
export async function listMonthlyUsage(accountId: string, month: string): Promise<MonthlyUsage[]> {
  const found = new Map<string, MonthlyUsage>()
  for (const [part, amounts] of await readCounters(`usage#${accountId}`, `${month}#`)) {
    const [, environmentId = '', kind] = part.split('#')
    const usage = found.get(environmentId) ?? { environmentId, used: createZeroUsage(), billable: createZeroUsage() }
    addAmounts(usage.used, amounts)
    if (kind === 'prod') addAmounts(usage.billable, amounts)
    found.set(environmentId, usage)
  }
  return [...found.values()]
}

export const getMonthlyUsage = async ({ accountId, environmentId }: UsageScope, month: string): Promise<MonthlyUsage> =>
  (await listMonthlyUsage(accountId, month)).find((usage) => usage.environmentId === environmentId) ?? {
    environmentId,
    used: createZeroUsage(),
    billable: createZeroUsage(),
  }
