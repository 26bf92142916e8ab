import { locateWorkbook, visibleTo } from '../lib/auth/load-resource.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import { Sheets } from '../lib/entities/sheets.ts'
import { Spaces, type StoredSpace } from '../lib/entities/spaces.ts'
import { type StoredWorkbook, Workbooks } from '../lib/entities/workbooks.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { createWorkbook } from '../lib/workbooks/create.ts'
import { removeWorkbook } from '../lib/workbooks/remove.ts'
import { assertRules } from '../lib/workbooks/rules.ts'
import { updateWorkbook } from '../lib/workbooks/update.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'
import * as workbooks from '../schemas/workbooks/endpoints.ts'

export const create = serve(workbooks.create)(async ({ space, body, tx }) => {
  const { spaceId: _, environmentId, ...config } = body
  if ((environmentId ?? space.environmentId) !== space.environmentId)
    throw invalidField('environmentId', message('records.otherEnvironmentThanSpace'))
  await assertRules(config.sheets ?? [])
  const { workbook, sheets } = createWorkbook(tx, space, config)
  return { data: { ...workbook, sheets } }
})

const matchesFilter = (filter: string | undefined, values: (string | undefined)[]): boolean => {
  if (filter === undefined) return true
  return filter.startsWith('-') ? !values.includes(filter.slice(1)) : values.includes(filter)
}

export const list = serve(workbooks.listed)(async ({ space, caller, query }) => {
  const isVisible = visibleTo(caller)
  const candidates = await listWorkbooks(space, caller.environmentId)
  const filtered = candidates.filter(
    (workbook) =>
      isVisible(locateWorkbook(workbook)) &&
      workbook.expiredAt === undefined &&
      matchesFilter(query.name, [workbook.name]) &&
      matchesFilter(query.namespace, [workbook.namespace]) &&
      matchesFilter(query.label, workbook.labels ?? []) &&
      (query.treatment === undefined || (workbook.treatments ?? []).includes(query.treatment)),
  )
  if (!query.includeSheets) return { data: filtered }
  const detailed = await Promise.all(filtered.map(withSheets))
  if (!query.includeCounts) return { data: detailed }
  const { withRecordCounts } = await import('../lib/workbooks/records.ts')
  return {
    data: await Promise.all(
      detailed.map(async (detail) => ({ ...detail, sheets: await withRecordCounts(detail.sheets) })),
    ),
  }
})

function listWorkbooks(space: StoredSpace | undefined, environmentId: string | undefined): Promise<StoredWorkbook[]> {
  if (space) return Workbooks.inSpace(space.id)
  if (environmentId) return Workbooks.inEnvironment(environmentId)
  throw invalidField('spaceId', message('records.spaceRequired'))
}

const withSheets = async (workbook: StoredWorkbook) => ({ ...workbook, sheets: await Sheets.inWorkbook(workbook.id) })

export const get = serve(workbooks.get)(async ({ workbook }) => ({ data: await withSheets(workbook) }))

export const update = serve(workbooks.update)(async ({ workbook, body: { spaceId, environmentId, ...body }, tx }) => {
  if ((spaceId ?? workbook.spaceId) !== workbook.spaceId) throw invalidField('spaceId', message('records.otherSpace'))
  if ((environmentId ?? workbook.environmentId) !== workbook.environmentId)
    throw invalidField('environmentId', message('records.otherEnvironmentThanWorkbook'))
  const [sheets, space] = await Promise.all([Sheets.inWorkbook(workbook.id), Spaces.get(workbook.spaceId)])
  if (!space) throw notFound('space', workbook.spaceId)
  const after = updateWorkbook(tx, { workbook, sheets, space }, body)
  await assertRules(
    after.updated.map(({ sheet }) => sheet.config),
    (at, path) => ['sheets', after.updated[at]!.index, ...path].join('.'),
  )
  return { data: { ...after.workbook, sheets: after.sheets } }
})

export const remove = serve(workbooks.remove)(async ({ workbook, tx }) => {
  removeWorkbook(tx, workbook)
  return success
})

export const rebuild = serve(workbooks.rebuild)(async ({ workbook }) => {
  const { revalidateWorkbook } = await import('../lib/workbooks/records.ts')
  await revalidateWorkbook(workbook)
  return success
})

export const handler = lambda(create, list, get, update, remove, rebuild)
