/** Evaluates a rule's FFQL filter over columns of the source. Pure. */

import { message } from '../../../schemas/messages/index.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { createCellTest, parseQuery, type QueryCondition } from '../../records/index.ts'
import { isEmpty } from './cells.ts'

export type ColumnOf = (key: string) => readonly unknown[]

export interface Filter {
  reads: readonly string[]
  rows(column: ColumnOf, length: number): Uint8Array
}

/** @throws ApiError invalid for an invalid query, FilterError for one that needs messages */
export function compileFilter(q: string, fields: readonly Field[]): Filter {
  const condition = parseQuery(
    q,
    fields.map(({ key, label }) => ({ key, label: label ?? undefined })),
  )
  return compileCondition(condition, new Map(fields.map((field) => [field.key, field])))
}

/** Filters run before validation, so rows have no messages yet. */
export class FilterError extends Error {}

function compileCondition(condition: QueryCondition, fields: ReadonlyMap<string, Field>): Filter {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.of.map((child) => compileCondition(child, fields))
      const isAnd = condition.kind === 'and'
      return combineFilters(parts, (left, right) => (isAnd ? left & right : left | right))
    }
    case 'not': {
      const negated = compileCondition(condition.of, fields)
      return { reads: negated.reads, rows: (column, length) => negated.rows(column, length).map((bit) => 1 - bit) }
    }
    case 'is':
      if (condition.state !== 'empty')
        throw new FilterError(message('mappings.filterBeforeValidation', { state: condition.state }))
      return matchAnyField(condition.field, fields, () => isEmpty)
    case 'compare': {
      const { operator, value } = condition
      return matchAnyField(condition.field, fields, ({ type }) => {
        const test = createCellTest(operator, type, value)
        return (cell) => test(isEmpty(cell) ? null : cell)
      })
    }
  }
}

function matchAnyField(
  key: string | undefined,
  fields: ReadonlyMap<string, Field>,
  createTest: (field: Field) => (cell: unknown) => boolean,
): Filter {
  const parts = [...fields.values()]
    .filter((field) => key === undefined || field.key === key)
    .map((field): Filter => {
      const test = createTest(field)
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
    : combineFilters(parts, (left, right) => left | right)
}

const combineFilters = (parts: readonly Filter[], combine: (left: number, right: number) => number): Filter => ({
  reads: parts.flatMap(({ reads }) => reads),
  rows: (column, length) =>
    parts
      .map((part) => part.rows(column, length))
      .reduce((left, right) => left.map((bit, row) => combine(bit, right[row]!))),
})
