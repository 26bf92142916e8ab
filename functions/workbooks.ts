/** Workbooks over HTTP. */

import { placeOfWorkbook, reachedBy } from '../lib/auth/scopes.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import { Sheets } from '../lib/entities/sheets.ts'
import { Spaces, type StoredSpace } from '../lib/entities/spaces.ts'
import { type StoredWorkbook, Workbooks } from '../lib/entities/workbooks.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { createWorkbook } from '../lib/workbooks/create.ts'
import { removeWorkbook } from '../lib/workbooks/remove.ts'
import { updateWorkbook } from '../lib/workbooks/update.ts'
import { success } from '../schemas/page.ts'
import * as workbooks from '../schemas/workbooks.ts'

export const create = serve(workbooks.create)(async ({ space, body, tx }) => {
  const { spaceId: _, environmentId, ...config } = body
  if ((environmentId ?? space.environmentId) !== space.environmentId)
    throw invalidField('environmentId', 'is not the environment of the space')
  const { workbook, sheets } = createWorkbook(tx, space, config)
  return { data: { ...workbook, sheets } }
})

/** `x` keeps what equals x, `-x` what does not. */
const keeps = (filter: string | undefined, values: (string | undefined)[]): boolean => {
  if (filter === undefined) return true
  return filter.startsWith('-') ? !values.includes(filter.slice(1)) : values.includes(filter)
}

export const list = serve(workbooks.listed)(async ({ space, caller, query }) => {
  const reached = reachedBy(caller)
  const all = await visible(space, caller.environmentId)
  const found = all.filter(
    (workbook) =>
      reached(placeOfWorkbook(workbook)) &&
      workbook.expiredAt === undefined &&
      keeps(query.name, [workbook.name]) &&
      keeps(query.namespace, [workbook.namespace]) &&
      keeps(query.label, workbook.labels ?? []) &&
      (query.treatment === undefined || (workbook.treatments ?? []).includes(query.treatment)),
  )
  if (!query.includeSheets) return { data: found }
  const whole = await Promise.all(found.map(withSheets))
  if (!query.includeCounts) return { data: whole }
  const { countedSheets } = await import('../lib/workbooks/records.ts')
  return { data: await Promise.all(whole.map(async (one) => ({ ...one, sheets: await countedSheets(one.sheets) }))) }
})

function visible(space: StoredSpace | undefined, environmentId: string | undefined): Promise<StoredWorkbook[]> {
  if (space) return Workbooks.inSpace(space.id)
  if (environmentId) return Workbooks.inEnvironment(environmentId)
  throw invalidField('spaceId', 'is required: this token is not bound to one environment')
}

const withSheets = async (workbook: StoredWorkbook) => ({ ...workbook, sheets: await Sheets.inWorkbook(workbook.id) })

export const get = serve(workbooks.get)(async ({ workbook }) => ({ data: await withSheets(workbook) }))

export const update = serve(workbooks.update)(async ({ workbook, body: { spaceId, environmentId, ...body }, tx }) => {
  if ((spaceId ?? workbook.spaceId) !== workbook.spaceId)
    throw invalidField('spaceId', 'is not the space of the workbook, and a workbook stays in its space')
  if ((environmentId ?? workbook.environmentId) !== workbook.environmentId)
    throw invalidField('environmentId', 'is not the environment of the workbook')
  const [sheets, space] = await Promise.all([Sheets.inWorkbook(workbook.id), Spaces.get(workbook.spaceId)])
  if (!space) throw notFound('space', workbook.spaceId)
  const after = updateWorkbook(tx, { workbook, sheets, space }, body)
  return { data: { ...after.workbook, sheets: after.sheets } }
})

export const remove = serve(workbooks.remove)(async ({ workbook, tx }) => {
  removeWorkbook(tx, workbook)
  return success
})

export const rebuild = serve(workbooks.rebuild)(async ({ workbook }) => {
  const { rebuildWorkbook } = await import('../lib/workbooks/records.ts')
  await rebuildWorkbook(workbook)
  return success
})

export const handler = lambda(create, list, get, update, remove, rebuild)
