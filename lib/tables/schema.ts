import { listColumns } from '../files/export/parquet/table.ts'
import type { ExportField } from '../files/export/rows.ts'

export interface TableColumn {
  id: number
  name: string
  required: false
  type: 'string' | 'double' | 'boolean' | 'date'
}

const TYPES = { text: 'string', json: 'string', number: 'double', boolean: 'boolean', date: 'date' } as const

/** A column has the id of the earlier one with its name and type, and otherwise a new id. */
export function buildColumns(
  fields: readonly ExportField[],
  earlier: readonly TableColumn[],
  lastId: number,
): TableColumn[] {
  let nextId = lastId + 1
  return listColumns(fields).map(({ name, kind }) => {
    const type = TYPES[kind]
    const known = earlier.find((column) => column.name === name && column.type === type)
    return { id: known?.id ?? nextId++, name, required: false, type }
  })
}
