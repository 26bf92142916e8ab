/** Compiles a query to row sets. Reads only the columns it uses and skips segments that cannot match. */
import { allBits, andBits, type Bits, emptyBits, notBits, orBits, setBit } from '../columns/bits.ts'
import { NULL } from '../columns/columns.ts'
import { getOrInsert } from '../columns/maps.ts'
import { parsePlainNumber } from '../columns/numbers.ts'
import { type CellTest, createCellTest, createNumberTest, extractNeedle } from '../fields/ffql/compare.ts'
import { type CellState, type Condition, type Operator, parseQuery } from '../fields/ffql/parser.ts'
import type { FieldRules, SheetRules } from '../fields/rules.ts'
import { MESSAGES } from '../format/column-names.ts'
import { countEmptyCells, parseCellValue, visitCells } from '../segments/cells.ts'
import { findRowsWithLevel, getColumnTexts, type OpenSegment } from '../segments/open.ts'
import type { Level } from '../sheet.ts'
import { countErrorRows, countLiveRows, type Segment } from '../state/state.ts'
import { createFinder } from './search.ts'

export interface CompiledQuery {
  names: readonly string[]
  canMatch: (segment: Segment) => boolean
  rows: (open: OpenSegment) => Bits
}

type Columns = Map<string, readonly string[] | null>

/** `known` decides a whole segment without reading it: all rows, none, or undefined. */
interface QueryNode {
  names: readonly string[]
  decide: (segment: Segment) => boolean | undefined
  rows: (open: OpenSegment, columns: Columns) => Bits
}

export function compileQuery(q: string, rules: SheetRules): CompiledQuery {
  const node = compileCondition(parseQuery(q, rules.fields), rules)
  return {
    names: [...new Set(node.names)],
    canMatch: (segment) => node.decide(segment) !== false,
    rows: (open) => node.rows(open, new Map()),
  }
}

function compileCondition(condition: Condition, rules: SheetRules): QueryNode {
  switch (condition.kind) {
    case 'and':
      return joinConditions(condition.of, rules, false, andBits)
    case 'or':
      return joinConditions(condition.of, rules, true, orBits)
    case 'not':
      return negateNode(compileCondition(condition.of, rules))
    case 'is':
      return createStateNode(condition.state, condition.field, rules)
    case 'compare': {
      const { operator, value } = condition
      return createFieldNode(rules, condition.field, (field) => createCompareNode(field, operator, value))
    }
  }
}

const joinConditions = (
  conditions: readonly Condition[],
  rules: SheetRules,
  decisive: boolean,
  join: (left: Bits, right: Bits) => Bits,
): QueryNode =>
  joinNodes(
    conditions.map((part) => compileCondition(part, rules)),
    decisive,
    join,
  )

function joinNodes(nodes: readonly QueryNode[], decisive: boolean, join: (left: Bits, right: Bits) => Bits): QueryNode {
  return {
    names: nodes.flatMap(({ names }) => names),
    decide: (segment) => {
      const decisions = nodes.map((node) => node.decide(segment))
      if (decisions.includes(decisive)) return decisive
      return decisions.includes(undefined) ? undefined : !decisive
    },
    rows: (open, columns) => nodes.map((node) => node.rows(open, columns)).reduce((left, right) => join(left, right)),
  }
}

function negateNode(node: QueryNode): QueryNode {
  return {
    names: node.names,
    decide: (segment) => {
      const decision = node.decide(segment)
      return decision === undefined ? undefined : !decision
    },
    rows: (open, columns) => notBits(node.rows(open, columns)),
  }
}

function createFieldNode(
  rules: SheetRules,
  key: string | undefined,
  create: (field: FieldRules) => QueryNode,
): QueryNode {
  if (key !== undefined) return create(rules.byKey.get(key)!)
  if (!rules.fields.length) return { names: [], decide: () => false, rows: ({ segment }) => emptyBits(segment.rows) }
  return joinNodes(rules.fields.map(create), true, orBits)
}

function createCompareNode(field: FieldRules, operator: Operator, value: string): QueryNode {
  if (value === '' && operator === 'eq') return createEmptyNode(field)
  if (value === '' && operator === 'ne') return negateNode(createEmptyNode(field))
  const test = createCellTest(operator, field.type, value)
  const matchesEmpty = test(null)
  return {
    names: [field.column],
    decide: (segment) => (countEmptyCells(segment, field) === segment.rows ? matchesEmpty : undefined),
    rows: createCellScan(
      field,
      test,
      createNumberTest(operator, field.type, value),
      extractNeedle(operator, field.type, value),
    ),
  }
}

function createCellScan(
  field: FieldRules,
  test: CellTest,
  numberTest: ((size: number) => boolean) | undefined,
  needle: string | undefined,
): QueryNode['rows'] {
  const matchesEmpty = test(null)
  const matchesJson = (json: string): boolean => (json === NULL ? matchesEmpty : test(parseCellValue(json)))
  if (needle) {
    const findRows = createFinder(needle, matchesJson)
    return (open) => findRows(open, [field.column])
  }
  if (numberTest) return (open) => findRowsByNumber(open, field.column, numberTest, matchesJson)
  return (open, columns) => {
    const cells = getOrInsert(columns, field.column, () => getColumnTexts(open, field.column) ?? null)
    const { rows } = open.segment
    if (!cells) return matchesEmpty ? allBits(rows) : emptyBits(rows)
    const matchingRows = emptyBits(rows)
    for (let row = 0; row < cells.length; row++) if (matchesJson(cells[row]!)) setBit(matchingRows, row)
    return matchingRows
  }
}

function findRowsByNumber(
  open: OpenSegment,
  column: string,
  numberTest: (size: number) => boolean,
  matchesJson: (json: string) => boolean,
): Bits {
  const matchingRows = emptyBits(open.segment.rows)
  visitCells(open, column, undefined, (bytes, start, end, row) => {
    const cellNumber = parsePlainNumber(bytes, start, end)
    if (Number.isNaN(cellNumber) ? matchesJson(bytes.toString('utf8', start, end)) : numberTest(cellNumber))
      setBit(matchingRows, row)
  })
  return matchingRows
}

const LEVELS: { readonly [state in 'error' | 'warning' | 'info']: Level } = {
  error: 'error',
  warning: 'warn',
  info: 'info',
}

function createStateNode(state: CellState, field: string | undefined, rules: SheetRules): QueryNode {
  if (state === 'valid') return negateNode(createStateNode('error', field, rules))
  if (state === 'empty') return createFieldNode(rules, field, createEmptyNode)
  return {
    names: [MESSAGES],
    decide: (segment) => (state === 'error' ? decideErrors(segment, field) : undefined),
    rows: (open) => {
      const matchingRows = emptyBits(open.segment.rows)
      for (const row of findRowsWithLevel(open, rules, LEVELS[state], field)) setBit(matchingRows, row)
      return matchingRows
    },
  }
}

function decideErrors(segment: Segment, field: string | undefined): boolean | undefined {
  const errorRows = countErrorRows(segment)
  if (errorRows === 0) return false
  return field === undefined && errorRows === countLiveRows(segment) ? true : undefined
}

function createEmptyNode(field: FieldRules): QueryNode {
  return {
    names: [field.column],
    decide: (segment) => {
      const emptyCount = countEmptyCells(segment, field)
      return emptyCount === 0 ? false : emptyCount === segment.rows ? true : undefined
    },
    rows: createCellScan(field, (value) => value === null, undefined, undefined),
  }
}
