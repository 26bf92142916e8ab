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
  const thisYear = new Date(tx.now).getUTCFullYear()
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

export const handler = lambda(interpret)
