/** Nearly every record has a description, but few have notes. Pure. */
import type { Column, Target } from './candidates.ts'
import { listLeft, type Match } from './matches.ts'
import { findMeaning } from './vocabulary.ts'

const NOTES = findMeaning('notes')
const DESCRIPTION = findMeaning('description')
const MAX_EMPTY_SHARE = 0.1

export function withoutSparseNotes(
  columns: readonly Column[],
  targets: readonly Target[],
  matches: readonly Match[],
): Match[] {
  const hasOther = listLeft(columns, targets, matches).columns.some((at) => areFullTexts(columns[at]!))
  return matches.filter(({ row, column }) => !hasOther || !areSparseNotes(columns[column]!, targets[row]!))
}

const areSparseNotes = ({ names, emptyShare }: Column, target: Target): boolean =>
  emptyShare > 0.5 &&
  names.every(({ meanings }) => meanings.includes(NOTES) && !meanings.includes(DESCRIPTION)) &&
  target.names.some(({ meanings }) => meanings.includes(DESCRIPTION))

const areFullTexts = ({ texts, distinctTexts, emptyShare, areDates, areNumbers, areBooleans }: Column): boolean =>
  emptyShare <= MAX_EMPTY_SHARE && distinctTexts * 2 > texts.length && !areDates && !areNumbers && !areBooleans
