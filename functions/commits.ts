/** Commits over HTTP. */

import { completeOnce } from '../lib/commits/complete.ts'
import { notFound } from '../lib/core/errors.ts'
import { Sheets } from '../lib/entities/sheets.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as engine from '../lib/records/index.ts'
import * as commits from '../schemas/commits.ts'
import { success } from '../schemas/page.ts'

export const get = serve(commits.get)(async ({ commit: sheet, params }) => {
  const found = await engine.commit(sheet.id, params.commitId)
  if (!found) throw notFound('commit', params.commitId)
  return { data: found }
})

export const complete = serve(commits.complete)(async ({ commit: sheet, params, tx }) => {
  if (!(await completeOnce(tx, sheet, params.commitId))) throw notFound('commit', params.commitId)
  return success
})

export const ofSheet = serve(commits.ofSheet)(async ({ sheet, query }) => ({
  data: await engine.commits(sheet.id, query),
}))

export const ofWorkbook = serve(commits.ofWorkbook)(async ({ workbook, query }) => {
  const sheets = await Sheets.inWorkbook(workbook.id)
  const lists = await Promise.all(sheets.map((sheet) => engine.commits(sheet.id, query)))
  return { data: lists.flat().sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)) }
})

export const handler = lambda(get, complete, ofSheet, ofWorkbook)
