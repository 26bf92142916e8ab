import { loadWithPermission } from '../lib/auth/load-resource.ts'
import { toSheetRef } from '../lib/commits/sheet-ref.ts'
import { invalid } from '../lib/core/errors.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { getReadingType } from '../lib/values/read-column.ts'
import type { Problem } from '../schemas/kit/error-codes.ts'
import { message } from '../schemas/messages/index.ts'
import type { Field } from '../schemas/sheets/fields.ts'
import * as values from '../schemas/values/endpoints.ts'
import type { Interpret } from '../schemas/values/shape.ts'

export const interpret = serve(values.interpret)(async ({ sheet, body, tx }) => {
  const fields = new Map((sheet?.config.fields ?? body.fields ?? []).map((field) => [field.key, field]))
  const problems = body.columns.flatMap((column, index) => findProblems(column, index, fields))
  if (problems.length > 0) throw invalid(problems)
  const [{ findOnlyRegionField }, { interpretColumn }] = await Promise.all([
    import('../lib/mapping/enums.ts'),
    import('../lib/mapping/interpret.ts'),
  ])
  const thisYear = getYear(tx)
  const regionField = findOnlyRegionField([...fields.values()])
  const countries = body.columns.find(({ key }) => key === regionField)
  const regions = countries && { field: countries.key, values: countries.values }
  const columns = body.columns.map(({ key, values, reading }) => ({
    key,
    ...interpretColumn(fields.get(key)!, values, { thisYear, reading, regions }),
  }))
  return { data: { columns } }
})

function findProblems(
  { key, reading }: Interpret['columns'][number],
  index: number,
  fields: ReadonlyMap<string, Field>,
): Problem[] {
  const field = fields.get(key)
  if (!field) return [{ key: `columns.${index}.key`, message: message('records.noField', { field: key }) }]
  const type = getReadingType(field)
  if (!reading || reading.type === type) return []
  const types = { reading: reading.type, field: type }
  return [{ key: `columns.${index}.reading`, message: message('values.otherType', types) }]
}

const getYear = ({ now }: { now: string }): number => new Date(now).getUTCFullYear()

export const suggestFields = serve(values.suggestFields)(async ({ sheet, tx }) => {
  const ref = toSheetRef(sheet)
  const [{ countRecords, readDistinctColumns }, { suggestFields: suggest }] = await Promise.all([
    import('../lib/records/index.ts'),
    import('../lib/mapping/suggest-fields.ts'),
  ])
  const [{ total: records }, { columns }] = await Promise.all([countRecords(ref), readDistinctColumns(ref)])
  const distinct = new Map(columns.map((column) => [column.field, column.values]))
  const samples = sheet.config.fields.map(({ key, label }) => ({
    ...{ key, label: label ?? key, records },
    values: distinct.get(key)!(),
  }))
  return { data: { records, fields: suggest(samples, getYear(tx)) } }
})

export const checkFields = serve(values.checkFields)(async ({ sheet, body, caller, tx }) => {
  const [{ assertRules }, { checkFields: check }] = await Promise.all([
    import('../lib/workbooks/rules.ts'),
    import('../lib/mapping/check-fields.ts'),
  ])
  await assertRules([body], (_, path) => path.join('.'))
  const references = await Promise.all(
    (body.references ?? []).map(async ({ sheetId, ...reference }) => ({
      ...reference,
      sheet: toSheetRef(await loadWithPermission('sheet', caller, 'records:read', sheetId)),
    })),
  )
  return { data: await check(toSheetRef(sheet), body, references, getYear(tx)) }
})

export const handler = lambda(interpret, suggestFields, checkFields)
