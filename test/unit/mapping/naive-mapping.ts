/** Maps a table one row and one cell at a time: the reference for mappings of columns. */
import { type CellNoters, createCellNoters, findOrigins } from '../../../lib/mapping/originals.ts'
import { DERIVED_PREFIX, isEmpty } from '../../../lib/mapping/rules/cells.ts'
import { createRuleEvaluator, type Destination } from '../../../lib/mapping/rules/evaluate.ts'
import { compileFilter } from '../../../lib/mapping/rules/filter.ts'
import { getValue } from '../../../lib/values/read-cell.ts'
import type { Rule } from '../../../schemas/programs/rules.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'

export type Row = Record<string, unknown>

interface NaiveSides {
  source: readonly Field[]
  destination: readonly Field[]
}

export interface NaiveMapping {
  rows: Row[]
  changedCells: Map<number, number>
}

export function mapNaively(rules: readonly Rule[], table: readonly Row[], sides: NaiveSides): NaiveMapping {
  const lists = new Set(sides.destination.filter(({ type }) => type.endsWith('-list')).map(({ key }) => key))
  const destination = { fields: sides.destination, lists }
  const noters = createCellNoters(sides.destination, findOrigins(rules))
  const changedCells = new Map<number, number>()
  const rows = table.map((row) => {
    const result: Row = {}
    for (const [index, rule] of rules.entries())
      if (applyRule(rule, row, result, { destination, source: sides.source }))
        changedCells.set(index, (changedCells.get(index) ?? 0) + 1)
    return noteOriginals(result, row, noters)
  })
  return { rows, changedCells }
}

const noteOriginals = (result: Row, row: Row, noters: CellNoters): Row =>
  Object.fromEntries(
    Object.entries(result).map(([key, cell]) => {
      const noter = noters.get(key)
      return [key, noter ? noter.note(cell, row[noter.source]) : cell]
    }),
  )

function listOutputs(rule: Rule, destination: Destination): readonly string[] {
  if (rule.type === 'subprogram') return rule.config.rules.flatMap((nested) => listOutputs(nested, destination))
  if (rule.type === 'ignore' || rule.type === 'leave-out' || rule.type === 'delete') return []
  return createRuleEvaluator(rule, destination).outputs
}

/** A cell that a filter leaves out is empty. Returns whether the rule changed the cell of its own field. */
function applyRule(
  rule: Rule,
  row: Row,
  result: Row,
  sides: { source: readonly Field[]; destination: Destination },
  isNested = false,
): boolean {
  if (rule.type === 'ignore' || rule.type === 'leave-out') return false
  const { filter } = rule.config
  if (filter !== undefined) {
    const { rows } = compileFilter(filter, sides.source)
    if (!rows((key) => [row[key] ?? null], 1)[0]) {
      for (const key of listOutputs(rule, sides.destination)) result[key] ??= null
      return false
    }
  }
  if (rule.type === 'subprogram') {
    for (const nested of rule.config.rules) applyRule(nested, row, result, sides, isNested || filter !== undefined)
    return false
  }
  if (rule.type === 'delete') {
    const { destinationField } = rule.config
    if (filter === undefined && !isNested) delete result[destinationField]
    else if (destinationField in result) result[destinationField] = null
    return false
  }
  const { inputs, outputs, evaluate } = createRuleEvaluator(rule, sides.destination)
  const cells = inputs.map((name) =>
    name.startsWith(DERIVED_PREFIX) ? (result[name.slice(DERIVED_PREFIX.length)] ?? null) : (row[name] ?? null),
  )
  const values = evaluate(cells.map(getValue))
  const isInPlace = outputs.length === 1 && inputs[0] === `${DERIVED_PREFIX}${outputs[0]}`
  if (isInPlace && values[0] === getValue(cells[0])) {
    result[outputs[0]!] = cells[0]
    return false
  }
  for (const [index, key] of outputs.entries()) result[key] = isEmpty(values[index]) ? null : values[index]
  return isInPlace && !(isEmpty(values[0]) && isEmpty(getValue(cells[0])))
}
