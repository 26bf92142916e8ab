/** What an environment holds and how often its agents ran: counted when asked, so that it is never out of step. */
import type * as z from 'zod'
import type { Usage } from '../../schemas/environments.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import { Executions } from '../entities/executions.ts'
import { Files } from '../entities/files.ts'
import { Sheets } from '../entities/sheets.ts'
import { Spaces } from '../entities/spaces.ts'
import { Workbooks } from '../entities/workbooks.ts'
import { firstIdAt } from '../events/ids.ts'
import * as engine from '../records/index.ts'

/** Sheets looked at at a time. */
const TOGETHER = 25
/** After every id. */
const END = '\uffff'

/** @param since ISO-8601: runs of agents are counted from this moment on */
export async function usageOf({ id, isProd }: StoredEnvironment, since: string): Promise<z.input<typeof Usage>> {
  const [spaces, workbooks, files, runs] = await Promise.all([
    Spaces.inEnvironment(id),
    Workbooks.inEnvironment(id),
    Files.inEnvironment(id),
    Executions.between(id, firstIdAt(new Date(since), 'execution'), END),
  ])
  const sheets = (await inTurns(workbooks, (workbook) => Sheets.inWorkbook(workbook.id))).flat()
  const counts = await inTurns(sheets, async (sheet) => (await engine.versionOf(sheet.id)).counts.total)
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
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

async function inTurns<T, R>(things: readonly T[], work: (thing: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let first = 0; first < things.length; first += TOGETHER)
    done.push(...(await Promise.all(things.slice(first, first + TOGETHER).map(work))))
  return done
}
