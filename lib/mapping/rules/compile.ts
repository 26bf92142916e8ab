/**
 * Compiles rules to run over columns of the source in batches of rows. A field that is filled from one column, value
 * by value, is converted as a column; the other fields are evaluated row by row. Pure.
 */
import type { Rule } from '../../../schemas/programs/rules.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import {
  type Column,
  type ColumnConverter,
  createColumnConverter,
  createNullColumn,
  readValues,
  toJsonColumn,
} from '../../records/index.ts'
import { getValue } from '../../values/read-cell.ts'
import { isListField } from '../lists.ts'
import type { CellNoters } from '../originals.ts'
import { createLineFinder, type FoundLines } from '../other-lines/classify.ts'
import { type Cell, DERIVED_PREFIX, emptyToNull, isEmpty } from './cells.ts'
import { type Chain, createConversion, findChains } from './chains.ts'
import { createRuleEvaluator, type Destination } from './evaluate.ts'
import { type ColumnOf, compileFilter } from './filter.ts'

export type Columns = ReadonlyMap<string, Column>

export interface Sides {
  source: readonly Field[]
  destination: readonly Field[]
}

export interface Program {
  reads: readonly string[]
  /** How many cells each rule that changes its own field has changed, by position of the rule. */
  changedCells: Map<number, number>
  mapColumns(columns: Columns, length: number): Map<string, Column>
  findOtherLines?: ((columns: Columns, length: number) => FoundLines) | undefined
}

interface RunState {
  length: number
  column: ColumnOf
  derived: Map<string, unknown[]>
  /** 1 for each row the rule applies to; undefined means all rows. */
  rows: Uint8Array | undefined
}
type Step = (run: RunState) => void

export function compileRules(rules: readonly Rule[], sides: Sides, noters: CellNoters = new Map()): Program {
  const reads = new Set<string>()
  const lists = new Set(sides.destination.filter((field) => isListField(field)).map(({ key }) => key))
  const destination = { fields: sides.destination, lists }
  const changedCells = new Map<number, number>()
  const countChanges = (rule: number, cells: number): void =>
    void changedCells.set(rule, (changedCells.get(rule) ?? 0) + cells)
  const chains = findChains(rules, destination)
  const inChains = new Set([...chains.values()].flatMap(({ links }) => links.map(({ rule }) => rule)))
  const converters = new Map(
    [...chains].map(([key, chain]) => [key, compileChain(chain, key, { destination, noters, countChanges })]),
  )
  for (const { source } of chains.values()) reads.add(source)
  const steps = rules.flatMap((rule, index) =>
    inChains.has(index)
      ? []
      : [
          compileStep(rule, {
            ...{ source: sides.source, destination, reads },
            countChanges: (cells) => countChanges(index, cells),
          }),
        ],
  )
  const leaveOut = rules.find((rule) => rule.type === 'leave-out' && rule.config.leaveOut)
  const findOtherLines = leaveOut && compileLeaveOut(leaveOut as LeaveOutRule, reads)
  return {
    findOtherLines,
    reads: [...reads],
    changedCells,
    mapColumns(columns, length) {
      const mapped = new Map<string, Column>()
      for (const [key, { source }] of chains) {
        const column = toJsonColumn(columns.get(source) ?? createNullColumn(length))
        mapped.set(key, converters.get(key)?.(column) ?? column)
      }
      for (const [key, cells] of mapRows(steps, columns, length)) {
        const noter = noters.get(key)
        const texts = noter && columns.get(noter.source)
        mapped.set(key, texts ? noteCells(cells, readValues(texts), noter.note) : cells)
      }
      return mapped
    },
  }
}

const noteCells = (cells: readonly Cell[], texts: readonly Cell[], note: (cell: Cell, text: Cell) => Cell): Cell[] =>
  cells.map((cell, row) => note(cell, texts[row]))

function mapRows(steps: readonly Step[], columns: Columns, length: number): Map<string, unknown[]> {
  const derived = new Map<string, unknown[]>()
  if (steps.length === 0) return derived
  const emptyColumn: readonly unknown[] = new Array(length).fill(null)
  const readSource = (name: string): readonly unknown[] | undefined => {
    const column = columns.get(name)
    return column && readValues(column)
  }
  const column: ColumnOf = (name) =>
    (name.startsWith(DERIVED_PREFIX) ? derived.get(name.slice(DERIVED_PREFIX.length)) : readSource(name)) ?? emptyColumn
  for (const step of steps) step({ length, column, derived, rows: undefined })
  return derived
}

interface ChainContext {
  destination: Destination
  noters: CellNoters
  countChanges: (rule: number, cells: number) => void
}

function compileChain(
  chain: Chain,
  key: string,
  { destination, noters, countChanges }: ChainContext,
): ColumnConverter | undefined {
  const field = destination.fields.find((one) => one.key === key)
  const conversion = createConversion(chain, destination, { type: field?.type, note: noters.get(key)?.note })
  return (
    conversion &&
    createColumnConverter({
      ...conversion,
      count: (changedBy, cells) => {
        for (const rule of changedBy) countChanges(rule, cells)
      },
    })
  )
}
type LeaveOutRule = Extract<Rule, { type: 'leave-out' }>

function compileLeaveOut({ config }: LeaveOutRule, reads: Set<string>): NonNullable<Program['findOtherLines']> {
  const findLines = createLineFinder(config)
  for (const key of [...config.filledColumns, ...config.otherColumns]) reads.add(key)
  return (columns, length) => findLines((key) => readValues(columns.get(key) ?? []), length)
}

interface CompileContext {
  source: readonly Field[]
  destination: Destination
  reads: Set<string>
  countChanges: (cells: number) => void
}

function compileStep(rule: Rule, context: CompileContext): Step {
  if (rule.type === 'leave-out') return () => {}
  const { reads } = context
  const { filter } = rule.config
  if (filter === undefined) return compileUnfiltered(rule, context)
  const compiledFilter = compileFilter(filter, context.source)
  for (const key of compiledFilter.reads) reads.add(key)
  const step = compileUnfiltered(rule, context)
  return (run) => {
    const matches = compiledFilter.rows(run.column, run.length)
    const { rows } = run
    step({ ...run, rows: rows ? matches.map((bit, row) => bit & rows[row]!) : matches })
  }
}

function compileUnfiltered(rule: Rule, context: CompileContext): Step {
  if (rule.type === 'subprogram') {
    const steps = rule.config.rules.map((nestedRule) => compileStep(nestedRule, context))
    return (run) => {
      for (const step of steps) step(run)
    }
  }
  if (rule.type === 'ignore' || rule.type === 'leave-out') return () => {}
  if (rule.type === 'delete') return clearField(rule.config.destinationField)
  const { inputs, outputs, evaluate } = createRuleEvaluator(rule, context.destination)
  for (const name of inputs) if (!name.startsWith(DERIVED_PREFIX)) context.reads.add(name)
  const isInPlace = outputs.length === 1 && inputs[0] === `${DERIVED_PREFIX}${outputs[0]}`
  return (run) => {
    let changed = 0
    const sources = inputs.map(run.column)
    const targets = outputs.map((key) => createTargetColumn(run, key))
    const cells = new Array<Cell>(inputs.length)
    for (let row = 0; row < run.length; row++) {
      if (run.rows && !run.rows[row]) continue
      for (let index = 0; index < inputs.length; index++) cells[index] = getValue(sources[index]![row])
      const values = evaluate(cells)
      if (isInPlace && values[0] === cells[0]) {
        targets[0]![row] = sources[0]![row]
        continue
      }
      if (isInPlace && !(isEmpty(values[0]) && isEmpty(cells[0]))) changed++
      for (let index = 0; index < outputs.length; index++) targets[index]![row] = emptyToNull(values[index])
    }
    if (changed > 0) context.countChanges(changed)
    for (const [index, key] of outputs.entries()) run.derived.set(key, targets[index]!)
  }
}

const createTargetColumn = ({ derived, rows, length }: RunState, key: string): unknown[] =>
  (rows && derived.get(key)?.slice()) ?? new Array<unknown>(length).fill(null)

const clearField =
  (key: string): Step =>
  ({ derived, rows }) => {
    const existing = derived.get(key)
    if (!existing) return
    if (rows)
      derived.set(
        key,
        existing.map((value, row) => (rows[row] ? null : value)),
      )
    else derived.delete(key)
  }
