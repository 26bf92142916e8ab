import { completeForListener } from '../lib/agents/part-completion.ts'
import { describeCommits } from '../lib/commits/describe.ts'
import { replayCommit } from '../lib/commits/replay.ts'
import { toSheetRef } from '../lib/commits/sheet-ref.ts'
import { notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import { Sheets } from '../lib/entities/sheets.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as engine from '../lib/records/index.ts'
import * as commits from '../schemas/commits/endpoints.ts'
import { MAX_OWN_COMMIT_ENTRIES } from '../schemas/commits/shape.ts'
import { success } from '../schemas/kit/page.ts'

export const get = serve(commits.get)(async ({ commit: sheet, params }) => {
  const found = await engine.readCommit(sheet.id, params.commitId)
  if (!found) throw notFound('commit', params.commitId)
  const [data] = await describeCommits(sheet, [found])
  return { data: data! }
})

export const complete = serve(commits.complete)(async ({ commit: sheet, params, caller, tx }) => {
  if (!(await completeForListener(tx.actor, sheet, params.commitId, caller))) throw notFound('commit', params.commitId)
  return success
})

export const replay = serve(commits.replay)(async ({ commit: sheet, params, tx }) => {
  if (!(await replayCommit(sheet, params.commitId, tx.actor))) throw notFound('commit', params.commitId)
  return success
})

export const undo = serve(commits.undo)(async ({ commit: sheet, params, query, request, caller, tx }) => {
  const [{ undoCommit }, { writeOptionsFrom }] = await Promise.all([
    import('../lib/commits/undo.ts'),
    import('../lib/commits/write.ts'),
  ])
  return { data: await undoCommit(sheet, tx, params, writeOptionsFrom(request, query, caller)) }
})

/** Old clients requested an id before writing. Writes now create their own, so any id will do. */
export const createVersion = serve(commits.createVersion)(async ({ sheet }) => {
  const latest = sheet && (await engine.readVersion(toSheetRef(sheet))).commitId
  return { data: { versionId: latest ?? newId('commit') } }
})

export const ofSheet = serve(commits.ofSheet)(async ({ sheet, query, caller }) => {
  const { mine, includeCounts, ...page } = query
  const own = mine ? { createdBy: caller.actorId, maxEntries: MAX_OWN_COMMIT_ENTRIES } : {}
  return {
    data: await describeCommits(sheet, await engine.listCommits(sheet.id, { ...page, ...own }), { includeCounts }),
  }
})

export const ofWorkbook = serve(commits.ofWorkbook)(async ({ workbook, query }) => {
  const sheets = await Sheets.inWorkbook(workbook.id)
  const { pageSize, pageNumber, ...filter } = query
  const window = { ...filter, pageSize: pageSize * pageNumber }
  const lists = await Promise.all(
    sheets.map(async (sheet) => describeCommits(sheet, await engine.listCommits(sheet.id, window))),
  )
  const sorted = lists.flat().sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  return { data: sorted.slice((pageNumber - 1) * pageSize, pageNumber * pageSize) }
})

export const handler = lambda(get, complete, replay, undo, createVersion, ofSheet, ofWorkbook)
