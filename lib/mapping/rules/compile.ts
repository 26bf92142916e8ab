/** Rules made ready to run over columns of the source, a batch of rows at a time. Pure. */
import type { Field } from '../../../schemas/fields.ts'
import type { Rule } from '../../../schemas/mapping-rule.ts'
import { isList } from '../lists.ts'
import { type Cell, isEmpty, MADE } from './cells.ts'
import { type ColumnOf, filterOf } from './filter.ts'
import { makerOf } from './makers.ts'

/** Columns of cells by field key, all of one length. */
export type Columns = ReadonlyMap<string, readonly unknown[]>

/** What rules are about. */
export interface Sides {
  source: readonly Field[]
  destination: readonly Field[]
}

export interface Program {
  /** Keys of the source's fields the rules read. */
  reads: readonly string[]
  /** Columns of the destination, made of `length` rows of the source. */
  carry(columns: Columns, length: number): Map<string, unknown[]>
}

interface Run {
  length: number
  /** Of the source, or with {@link MADE} of what was made so far. */
  column: ColumnOf
  made: Map<string, unknown[]>
  /** Rows the rule is for; all when undefined. */
  rows: Uint8Array | undefined
}
type Step = (run: Run) => void

/** @param rules checked ones ({@link checkRules}) */
export function compileRules(rules: readonly Rule[], sides: Sides): Program {
  const reads = new Set<string>()
  const lists = new Set(sides.destination.filter((field) => isList(field)).map(({ key }) => key))
  const steps = rules.map((rule) => stepOf(rule, { ...sides, reads, lists }))
  return {
    reads: [...reads],
    carry(columns, length) {
      const made = new Map<string, unknown[]>()
      const nothing: readonly unknown[] = new Array(length).fill(null)
      const column: ColumnOf = (name) =>
        (name.startsWith(MADE) ? made.get(name.slice(MADE.length)) : columns.get(name)) ?? nothing
      for (const step of steps) step({ length, column, made, rows: undefined })
      return made
    },
  }
}

interface Compiling extends Sides {
  reads: Set<string>
  lists: ReadonlySet<string>
}

function stepOf(rule: Rule, compiling: Compiling): Step {
  const { reads } = compiling
  const { filter } = rule.config
  if (filter === undefined) return unfiltered(rule, compiling)
  const judged = filterOf(filter, compiling.source)
  for (const key of judged.reads) reads.add(key)
  const step = unfiltered(rule, compiling)
  return (run) => {
    const own = judged.rows(run.column, run.length)
    const { rows } = run
    step({ ...run, rows: rows ? own.map((bit, row) => bit & rows[row]!) : own })
  }
}

function unfiltered(rule: Rule, compiling: Compiling): Step {
  if (rule.type === 'subprogram') {
    const steps = rule.config.rules.map((one) => stepOf(one, compiling))
    return (run) => {
      for (const step of steps) step(run)
    }
  }
  if (rule.type === 'ignore') return () => {}
  if (rule.type === 'delete') return remove(rule.config.destinationField)
  const { from, fill, make } = makerOf(rule, compiling.lists)
  for (const name of from) if (!name.startsWith(MADE)) compiling.reads.add(name)
  return (run) => {
    const sources = from.map(run.column)
    const targets = fill.map((key) => cellsToFill(run, key))
    const given = new Array<Cell>(from.length)
    for (let row = 0; row < run.length; row++) {
      if (run.rows && !run.rows[row]) continue
      for (let index = 0; index < from.length; index++) given[index] = sources[index]![row]
      const values = make(given)
      for (let index = 0; index < fill.length; index++) targets[index]![row] = orNull(values[index])
    }
    for (const [index, key] of fill.entries()) run.made.set(key, targets[index]!)
  }
}

const orNull = (value: Cell): Cell => (isEmpty(value) ? null : value)

/** A new column, with what earlier rules made where this one does not apply. */
const cellsToFill = ({ made, rows, length }: Run, key: string): unknown[] =>
  (rows && made.get(key)?.slice()) ?? new Array<unknown>(length).fill(null)

const remove =
  (key: string): Step =>
  ({ made, rows }) => {
    const before = made.get(key)
    if (!before) return
    if (rows)
      made.set(
        key,
        before.map((value, row) => (rows[row] ? null : value)),
      )
    else made.delete(key)
  }
