/** A rule's filter, in FFQL, judged over columns of the source. Pure. */
import type { Field } from '../../../schemas/fields.ts'
import { cellTest, parseQuery, type QueryCondition } from '../../records/index.ts'
import { isEmpty } from './cells.ts'

/** Columns of the source by field key. */
export type ColumnOf = (key: string) => readonly unknown[]

export interface Filter {
  /** Keys it reads. */
  reads: readonly string[]
  /** Which rows it lets through. */
  rows(column: ColumnOf, length: number): Uint8Array
}

/**
 * @param fields of the source
 * @throws ApiError invalid for a query that cannot be read, or asks for more than values
 */
export function filterOf(q: string, fields: readonly Field[]): Filter {
  const condition = parseQuery(
    q,
    fields.map(({ key, label }) => ({ key, label: label ?? undefined })),
  )
  return filterFor(condition, new Map(fields.map((field) => [field.key, field])))
}

/** Rows are judged before they have messages. */
export class FilterError extends Error {}

function filterFor(condition: QueryCondition, fields: ReadonlyMap<string, Field>): Filter {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.of.map((one) => filterFor(one, fields))
      const all = condition.kind === 'and'
      return joined(parts, (own, other) => (all ? own & other : own | other))
    }
    case 'not': {
      const inner = filterFor(condition.of, fields)
      return { reads: inner.reads, rows: (column, length) => inner.rows(column, length).map((bit) => 1 - bit) }
    }
    case 'is':
      if (condition.state !== 'empty')
        throw new FilterError(`may not ask what is ${condition.state}: values are judged after they are mapped`)
      return anyOf(condition.field, fields, () => isEmpty)
    case 'compare': {
      const { operator, value } = condition
      return anyOf(condition.field, fields, ({ type }) => {
        const test = cellTest(operator, type, value)
        return (cell) => test(isEmpty(cell) ? null : cell)
      })
    }
  }
}

/** The filter of one field, or of any: then one field that matches is enough. */
function anyOf(
  key: string | undefined,
  fields: ReadonlyMap<string, Field>,
  testOf: (field: Field) => (cell: unknown) => boolean,
): Filter {
  const parts = [...fields.values()]
    .filter((field) => key === undefined || field.key === key)
    .map((field): Filter => {
      const test = testOf(field)
      return {
        reads: [field.key],
        rows: (column, length) => {
          const cells = column(field.key)
          return Uint8Array.from({ length }, (_, row) => (test(cells[row]) ? 1 : 0))
        },
      }
    })
  return parts.length === 0
    ? { reads: [], rows: (_column, length) => new Uint8Array(length) }
    : joined(parts, (own, other) => own | other)
}

const joined = (parts: readonly Filter[], join: (own: number, other: number) => number): Filter => ({
  reads: parts.flatMap(({ reads }) => reads),
  rows: (column, length) =>
    parts
      .map((part) => part.rows(column, length))
      .reduce((own, other) => own.map((bit, row) => join(bit, other[row]!))),
})
