/** What an environment holds and how often its agents ran, counted when asked; and what it used, which was counted as it happened. */
import type * as z from 'zod'
import type { Usage } from '../../schemas/environments.ts'
import { inFlight } from '../core/in-flight.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import { Executions } from '../entities/executions.ts'
import { Files } from '../entities/files.ts'
import { Sheets } from '../entities/sheets.ts'
import { Spaces } from '../entities/spaces.ts'
import { monthOf, usedBy } from '../entities/usage.ts'
import { Workbooks } from '../entities/workbooks.ts'
import { firstIdAt } from '../events/ids.ts'
import * as engine from '../records/index.ts'

/** Sheets looked at at a time. */
const TOGETHER = 25
/** After every id. */
const END = '\uffff'

/**
 * @param asked.since ISO-8601: runs of agents are counted from this moment on; the first of the month unless told
 * @param asked.month of which what was used is told; the present one unless told
 */
export async function usageOf(
  { id, accountId, isProd }: StoredEnvironment,
  asked: { since?: string | undefined; month?: string | undefined },
  now: string,
): Promise<z.input<typeof Usage>> {
  const { since = `${monthOf(now)}-01T00:00:00.000Z`, month = monthOf(now) } = asked
  const [{ used, credited }, spaces, workbooks, files, runs] = await Promise.all([
    usedBy({ accountId, environmentId: id }, month),
    Spaces.inEnvironment(id),
    Workbooks.inEnvironment(id),
    Files.inEnvironment(id),
    Executions.between(id, firstIdAt(new Date(since), 'execution'), END),
  ])
  const sheets = (await inFlight(TOGETHER, workbooks, (workbook) => Sheets.inWorkbook(workbook.id))).flat()
  const counts = await inFlight(TOGETHER, sheets, async (sheet) => (await engine.versionOf(sheet.id)).counts.total)
  return {
    environmentId: id,
    countsTowardCredits: isProd,
    spaces: spaces.length,
    workbooks: workbooks.length,
    sheets: sheets.length,
    records: sum(counts),
    files: files.length,
    fileBytes: sum(files.map(({ size }) => size ?? 0)),
    since: new Date(since).toISOString(),
    agentRuns: runs.length,
    failedAgentRuns: runs.filter(({ success }) => !success).length,
    agentMilliseconds: sum(runs.map(({ duration }) => duration ?? 0)),
    month,
    used,
    credited,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
