/**
 * A parsed query made ready to run over segments: sets of rows, joined by and, or and not. Only columns the query names are
 * read, and segments that cannot hold a match are told without reading. Pure.
 */
import { allBits, andBits, type Bits, emptyBits, notBits, orBits, setBit } from '../../bytes/bits.ts'
import { cellValue, emptyCells, visitCells } from '../../bytes/cells.ts'
import { NULL } from '../../bytes/columns.ts'
import { getOrMake } from '../../bytes/maps.ts'
import { plainNumber } from '../../bytes/numbers.ts'
import { errorCount, liveCount, type Segment } from '../../log/state.ts'
import type { FieldRules, SheetRules } from '../../rules/rules.ts'
import type { Level } from '../../sheet.ts'
import { MESSAGES } from '../../write/segment.ts'
import { cellTexts, type OpenSegment, rowsWithLevel } from '../reader.ts'
import { finder } from '../search.ts'
import { type CellTest, cellTest, needleOf, sizeTest } from './compare.ts'
import { type CellState, type Condition, type Operator, parseQuery } from './parser.ts'

export interface CompiledQuery {
  /** Chunks a segment must be opened with. */
  names: readonly string[]
  /** False when no row of the segment can match; told from the state alone. */
  possible: (segment: Segment) => boolean
  /** The rows that match; deleted ones may be among them. */
  rows: (open: OpenSegment) => Bits
}

/** A column's cell texts by column, split once a segment however often the query names it. */
type Columns = Map<string, readonly string[] | null>

/** One node: what it needs, what is known of a segment unread (all rows, none, or undefined), and its rows. */
interface Node {
  names: readonly string[]
  known: (segment: Segment) => boolean | undefined
  rows: (open: OpenSegment, columns: Columns) => Bits
}

/** @throws ApiError invalid for a query that cannot be read */
export function compileQuery(q: string, rules: SheetRules): CompiledQuery {
  const node = nodeOf(parseQuery(q, rules.fields), rules)
  return {
    names: [...new Set(node.names)],
    possible: (segment) => node.known(segment) !== false,
    rows: (open) => node.rows(open, new Map()),
  }
}

function nodeOf(condition: Condition, rules: SheetRules): Node {
  switch (condition.kind) {
    case 'and':
      return joined(condition.of, rules, false, andBits)
    case 'or':
      return joined(condition.of, rules, true, orBits)
    case 'not':
      return negated(nodeOf(condition.of, rules))
    case 'is':
      return stateNode(condition.state, condition.field, rules)
    case 'compare': {
      const { operator, value } = condition
      return anyField(rules, condition.field, (field) => compareNode(field, operator, value))
    }
  }
}

const joined = (
  of: readonly Condition[],
  rules: SheetRules,
  decisive: boolean,
  join: (own: Bits, other: Bits) => Bits,
): Node =>
  joinedNodes(
    of.map((one) => nodeOf(one, rules)),
    decisive,
    join,
  )

/** @param decisive one part that is all (or) or none (and) decides */
function joinedNodes(nodes: readonly Node[], decisive: boolean, join: (own: Bits, other: Bits) => Bits): Node {
  return {
    names: nodes.flatMap(({ names }) => names),
    known: (segment) => {
      const known = nodes.map((node) => node.known(segment))
      if (known.includes(decisive)) return decisive
      return known.includes(undefined) ? undefined : !decisive
    },
    rows: (open, columns) => nodes.map((node) => node.rows(open, columns)).reduce((own, other) => join(own, other)),
  }
}

function negated(node: Node): Node {
  return {
    names: node.names,
    known: (segment) => {
      const known = node.known(segment)
      return known === undefined ? undefined : !known
    },
    rows: (open, columns) => notBits(node.rows(open, columns)),
  }
}

/** The node of one field, or of any: then one field that matches is enough. */
function anyField(rules: SheetRules, key: string | undefined, make: (field: FieldRules) => Node): Node {
  if (key !== undefined) return make(rules.byKey.get(key)!)
  if (!rules.fields.length) return { names: [], known: () => false, rows: ({ segment }) => emptyBits(segment.rows) }
  return joinedNodes(rules.fields.map(make), true, orBits)
}

function compareNode(field: FieldRules, operator: Operator, value: string): Node {
  if (value === '' && operator === 'eq') return emptyNode(field)
  if (value === '' && operator === 'ne') return negated(emptyNode(field))
  const test = cellTest(operator, field.type, value)
  const ofEmpty = test(null)
  return {
    names: [field.column],
    known: (segment) => (emptyCells(segment, field) === segment.rows ? ofEmpty : undefined),
    rows: cellScan(field, test, sizeTest(operator, field.type, value), needleOf(operator, field.type, value)),
  }
}

/** Judges a column's cells: only those with the needle, by bytes as numbers, or each by its value. */
function cellScan(
  field: FieldRules,
  test: CellTest,
  bySize: ((size: number) => boolean) | undefined,
  needle: string | undefined,
): Node['rows'] {
  const ofEmpty = test(null)
  const ofText = (json: string): boolean => (json === NULL ? ofEmpty : test(cellValue(json)))
  if (needle) {
    const find = finder(needle, ofText)
    return (open) => find(open, [field.column])
  }
  if (bySize) return (open) => sizedRows(open, field.column, bySize, ofText)
  return (open, columns) => {
    const cells = getOrMake(columns, field.column, () => cellTexts(open, field.column) ?? null)
    const { rows } = open.segment
    if (!cells) return ofEmpty ? allBits(rows) : emptyBits(rows)
    const found = emptyBits(rows)
    for (let row = 0; row < cells.length; row++) if (ofText(cells[row]!)) setBit(found, row)
    return found
  }
}

function sizedRows(
  open: OpenSegment,
  column: string,
  bySize: (size: number) => boolean,
  ofText: (json: string) => boolean,
): Bits {
  const found = emptyBits(open.segment.rows)
  visitCells(open, column, undefined, (bytes, start, end, row) => {
    const size = plainNumber(bytes, start, end)
    if (Number.isNaN(size) ? ofText(bytes.toString('utf8', start, end)) : bySize(size)) setBit(found, row)
  })
  return found
}

const LEVELS: { readonly [state in 'error' | 'warning' | 'info']: Level } = {
  error: 'error',
  warning: 'warn',
  info: 'info',
}

function stateNode(state: CellState, field: string | undefined, rules: SheetRules): Node {
  if (state === 'valid') return negated(stateNode('error', field, rules))
  if (state === 'empty') return anyField(rules, field, emptyNode)
  return {
    names: [MESSAGES],
    known: (segment) => (state === 'error' ? knownErrors(segment, field) : undefined),
    rows: (open) => {
      const found = emptyBits(open.segment.rows)
      for (const row of rowsWithLevel(open, rules, LEVELS[state], field)) setBit(found, row)
      return found
    },
  }
}

function knownErrors(segment: Segment, field: string | undefined): boolean | undefined {
  const errors = errorCount(segment)
  if (errors === 0) return false
  return field === undefined && errors === liveCount(segment) ? true : undefined
}

function emptyNode(field: FieldRules): Node {
  return {
    names: [field.column],
    known: (segment) => {
      const empty = emptyCells(segment, field)
      return empty === 0 ? false : empty === segment.rows ? true : undefined
    },
    rows: cellScan(field, (value) => value === null, undefined, undefined),
  }
}
