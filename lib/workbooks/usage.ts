/** An environment's usage: its contents and agent runs, counted on request, and its metered usage. */
import type * as z from 'zod'
import type { Usage } from '../../schemas/environments/shape.ts'
import { mapConcurrent } from '../core/concurrency.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import { Executions } from '../entities/executions.ts'
import { Files } from '../entities/files.ts'
import { Sheets } from '../entities/sheets.ts'
import { Spaces } from '../entities/spaces.ts'
import { getMonth, getMonthlyUsage } from '../entities/usage.ts'
import { Workbooks } from '../entities/workbooks.ts'
import { firstIdAt } from '../events/id-time.ts'
import * as engine from '../records/index.ts'

const CONCURRENCY = 25
const AFTER_EVERY_ID = '\uffff'

/** @param asked.since ISO 8601, start of the month by default */
export async function getUsage(
  { id, accountId, isProd }: StoredEnvironment,
  options: { since?: string | undefined; month?: string | undefined },
  now: string,
): Promise<z.input<typeof Usage>> {
  const { since = `${getMonth(now)}-01T00:00:00.000Z`, month = getMonth(now) } = options
  const [{ used, billable }, spaces, workbooks, files, runs] = await Promise.all([
    getMonthlyUsage({ accountId, environmentId: id }, month),
    Spaces.inEnvironment(id),
    Workbooks.inEnvironment(id),
    Files.inEnvironment(id),
    Executions.listBetween(id, firstIdAt(new Date(since), 'execution'), AFTER_EVERY_ID),
  ])
  const sheets = (await mapConcurrent(CONCURRENCY, workbooks, (workbook) => Sheets.inWorkbook(workbook.id))).flat()
  const counts = await mapConcurrent(
    CONCURRENCY,
    sheets,
    async (sheet) => (await engine.readVersion(sheet.id)).counts.total,
  )
  return {
    environmentId: id,
    countsTowardCredits: isProd,
    spaces: spaces.length,
    workbooks: workbooks.length,
    sheets: sheets.length,
    records: sumNumbers(counts),
    files: files.length,
    fileBytes: sumNumbers(files.map(({ size }) => size ?? 0)),
    since: new Date(since).toISOString(),
    agentRuns: runs.length,
    failedAgentRuns: runs.filter(({ success }) => !success).length,
    agentMilliseconds: sumNumbers(runs.map(({ duration }) => duration ?? 0)),
    month,
    used,
    billable,
  }
}

const sumNumbers = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0)
