/** Pairs the columns and fields that are left between the same neighbours, if the fields follow the columns. Pure. */
import { isSubsequence } from './abbreviations.ts'
import type { Column, Target } from './candidates.ts'
import { areMost, contradicts, haveSameFormat, lackFormat } from './evidence.ts'
import { hasValuesOf, listUnambiguous, toWeak } from './left.ts'
import { listLeft, type Match } from './matches.ts'
import { isOfKind } from './names.ts'
import { areOtherPhrases, hasOtherName } from './only-ones-left.ts'
import { isOfOtherParty, isRowCounter, measureMeantOptions } from './score-pair.ts'
import { isContrasting } from './similarity.ts'

const MIN_MATCHES = 4
const MIN_IN_ORDER = 0.8

export function matchNeighboursLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  matches: readonly Match[],
): Match[] {
  const ordered = matches.toSorted((a, b) => a.row - b.row)
  if (!areInOrder(ordered)) return []
  const left = listLeft(columns, targets, matches)
  const start = { row: -1, column: -1 }
  const end = { row: targets.length, column: columns.length }
  const bounds = [start, ...ordered, end]
  return bounds.slice(1).flatMap((after, at) => {
    const before = bounds[at]!
    const isEnclosed = before !== start && after !== end
    const rows = left.rows.filter((row) => row > before.row && row < after.row)
    const between = left.columns.filter((column) => column > before.column && column < after.column)
    const isShortForOther = (row: number, column: number): boolean =>
      !isShortFor(columns[column]!, targets[row]!) &&
      left.rows.some((other) => isShortFor(columns[column]!, targets[other]!))
    const mayPair = (row: number, column: number): boolean =>
      mayHold(columns[column]!, targets[row]!, isEnclosed) && !isShortForOther(row, column)
    if (isEnclosed && rows.length === between.length) {
      const pairs = rows.map((row, at) => ({ row, column: between[at]! }))
      const textsLeft = pairs
        .filter(({ row, column }) => targets[row]!.field.type === 'string' && !mayPair(row, column))
        .map(({ row }) => row)
      return pairs
        .filter(({ row, column }) => mayPair(row, column) && !textsLeft.some((other) => mayPair(other, column)))
        .map(toWeak)
    }
    return listUnambiguous(
      rows.flatMap((row) => between.filter((column) => mayPair(row, column)).map((column) => ({ row, column }))),
    )
  })
}

const MAX_SHORT_LETTERS = 4

const isShortFor = ({ names }: Column, target: Target): boolean =>
  names.some(
    ({ compact }) =>
      compact.length <= MAX_SHORT_LETTERS &&
      target.names.some(({ rawWords }) =>
        rawWords.some((word) => word[0] === compact[0] && isSubsequence(compact, word)),
      ),
  )

const areInOrder = (ordered: readonly Match[]): boolean =>
  ordered.length >= MIN_MATCHES &&
  ordered.slice(1).filter(({ column }, at) => column > ordered[at]!.column).length >=
    (ordered.length - 1) * MIN_IN_ORDER

const mayHold = (column: Column, target: Target, isEnclosed: boolean): boolean =>
  hasValuesOf(column, target) &&
  (target.field.type !== 'enum' || measureMeantOptions(column, target) > 0) &&
  areTextsOf(column, target) &&
  !isRowCounter(column) &&
  !areContrasting(column, target) &&
  ((isEnclosed && mayHaveMeaning(column, target)) ||
    !(hasOtherName(column, target, NO_MEANINGS) || areOtherPhrases(column, target)))

/** Texts can be anything, unlike numbers, dates, and persons. */
const mayHaveMeaning = ({ names }: Column, target: Target): boolean =>
  target.names.every(({ meanings }) => meanings.length === 0) &&
  (target.field.type !== 'string' ||
    [names, target.names].every((own) => own.some(({ persons }) => persons.length > 0)))

const areContrasting = ({ names }: Column, target: Target): boolean =>
  names.some((own) => target.names.some((other) => isContrasting(own, other)))

function areTextsOf({ names, texts, shapes }: Column, target: Target): boolean {
  if (target.field.type !== 'string') return true
  if (lackFormat(texts, target) || contradicts(texts, shapes, target) || !haveSameFormat(shapes, target)) return false
  if (shapes.some(({ format }) => format) && names.some((name) => isOfOtherParty(name, target))) return false
  return !target.names.some((name) => isOfKind(name, 'id')) || areMost(texts, (text) => /\d/.test(text))
}

const NO_MEANINGS: ReadonlySet<number> = new Set()
