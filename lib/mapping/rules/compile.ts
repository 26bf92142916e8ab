/** Compiles rules to run over columns of the source in batches of rows. Pure. */
import type { Rule } from '../../../schemas/programs/rules.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { getValue } from '../../values/read-cell.ts'
import { isListField } from '../lists.ts'
import { createLineFinder, type FoundLines } from '../other-lines/classify.ts'
import { type Cell, DERIVED_PREFIX, isEmpty } from './cells.ts'
import { createRuleEvaluator, type Destination } from './evaluate.ts'
import { type ColumnOf, compileFilter } from './filter.ts'

export type Columns = ReadonlyMap<string, readonly unknown[]>

export interface Sides {
  source: readonly Field[]
  destination: readonly Field[]
}

export interface Program {
  reads: readonly string[]
  /** How many cells each rule that changes its own field has changed, by position of the rule. */
  changedCells: Map<number, number>
  mapColumns(columns: Columns, length: number): Map<string, unknown[]>
  /** Rows that are to be left out. */
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

export function compileRules(rules: readonly Rule[], sides: Sides): Program {
  const reads = new Set<string>()
  const lists = new Set(sides.destination.filter((field) => isListField(field)).map(({ key }) => key))
  const changedCells = new Map<number, number>()
  const context = { source: sides.source, destination: { fields: sides.destination, lists }, reads }
  const steps = rules.map((rule, index) =>
    compileStep(rule, {
      ...context,
      countChanges: (cells) => void changedCells.set(index, (changedCells.get(index) ?? 0) + cells),
    }),
  )
  const leaveOut = rules.find((rule) => rule.type === 'leave-out' && rule.config.leaveOut)
  const findOtherLines = leaveOut && compileLeaveOut(leaveOut as LeaveOutRule, reads)
  return {
    findOtherLines,
    reads: [...reads],
    changedCells,
    mapColumns(columns, length) {
      const derived = new Map<string, unknown[]>()
      const emptyColumn: readonly unknown[] = new Array(length).fill(null)
      const column: ColumnOf = (name) =>
        (name.startsWith(DERIVED_PREFIX) ? derived.get(name.slice(DERIVED_PREFIX.length)) : columns.get(name)) ??
        emptyColumn
      for (const step of steps) step({ length, column, derived, rows: undefined })
      return derived
    },
  }
}

type LeaveOutRule = Extract<Rule, { type: 'leave-out' }>

function compileLeaveOut({ config }: LeaveOutRule, reads: Set<string>): NonNullable<Program['findOtherLines']> {
  const findLines = createLineFinder(config)
  for (const key of [...config.filledColumns, ...config.otherColumns]) reads.add(key)
  return (columns, length) => findLines((key) => columns.get(key) ?? [], length)
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

const emptyToNull = (value: Cell): Cell => (isEmpty(value) ? null : value)

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
