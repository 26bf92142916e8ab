/** Decides from the first rows of a table which of its columns tell records from other lines. Pure. */
import type { LeaveOut } from '../../../schemas/programs/other-lines.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { isNumeric, toShownText } from './classify.ts'

const MIN_ROWS = 6
export const MAX_SHARE = 1 / 3
const MIN_FILLED_COLUMNS = 3
const MAX_FILLED_COLUMNS = 40
const MAX_OTHER_COLUMNS = 60
const FILLED_SHARE = 0.9
const TYPED_SHARE = 0.8
const DISTINCT_SHARE = 0.95
const MIN_CODE_LENGTH = 3
/** Share of the cells that a typical row has. */
const RECORD_SHARE = 0.6

interface Column {
  key: string
  texts: readonly string[]
  isFilled: boolean
}

export function suggestLeaveOut(
  fields: readonly Pick<Field, 'key' | 'type'>[],
  samples: ReadonlyMap<string, readonly unknown[]>,
): LeaveOut | undefined {
  if (fields.some(({ type }) => type !== 'string')) return undefined
  const cells = fields.map(({ key }) => (samples.get(key) ?? []).map(toShownText))
  const rows = findLikelyRecords(cells)
  if (rows.length < MIN_ROWS) return undefined
  const columns = fields.map(({ key }, at) =>
    describeColumn(
      key,
      rows.map((row) => cells[at]![row] ?? ''),
    ),
  )
  const filled = columns.filter(({ isFilled }) => isFilled).slice(0, MAX_FILLED_COLUMNS)
  if (filled.length < MIN_FILLED_COLUMNS) return undefined
  const keys = filled.filter(isKey)
  const listKeys = (some: readonly Column[]): string[] => some.map(({ key }) => key)
  return {
    filledColumns: listKeys(filled),
    keyColumns: listKeys(keys),
    numberColumns: listKeys(filled.filter((column) => !keys.includes(column) && hasNumbers(column))),
    digitColumns: listKeys(filled.filter(({ texts }) => getShare(texts, (text) => /\d/.test(text)) >= TYPED_SHARE)),
    otherColumns: listKeys(columns.filter((column) => !filled.includes(column)).slice(0, MAX_OTHER_COLUMNS)),
    leaveOut: true,
  }
}

function findLikelyRecords(cells: readonly (readonly string[])[]): number[] {
  const length = Math.max(0, ...cells.map((column) => column.length))
  const counts = Array.from({ length }, (_, row) => cells.filter((column) => (column[row] ?? '') !== '').length)
  const typical = counts.toSorted((a, b) => a - b)[Math.floor(length / 2)] ?? 0
  return counts.flatMap((count, row) => (count >= typical * RECORD_SHARE ? [row] : []))
}

function describeColumn(key: string, cells: readonly string[]): Column {
  const texts = cells.filter((text) => text !== '')
  const isConstant = new Set(texts).size === 1
  return { key, texts, isFilled: texts.length >= cells.length * FILLED_SHARE && !isConstant }
}

const getShare = (texts: readonly string[], matches: (text: string) => boolean): number =>
  texts.filter(matches).length / texts.length

const DATE = /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}/
const hasNumbers = ({ texts }: Column): boolean =>
  getShare(texts, isNumeric) >= TYPED_SHARE && getShare(texts, (text) => DATE.test(text)) < TYPED_SHARE / 2

/** Amounts may differ, too, so that numbers are keys only if they look like those. */
function isKey(column: Column): boolean {
  const { texts } = column
  const areDistinct = new Set(texts).size >= texts.length * DISTINCT_SHARE
  if (!hasNumbers(column)) return areDistinct
  const digits = texts.flatMap((text) => /^(\d+)\.?$/.exec(text)?.[1] ?? [])
  if (digits.length < texts.length * DISTINCT_SHARE) return false
  const lengths = new Set(digits.map((text) => text.length))
  const areCodes = lengths.size === 1 && Math.max(...lengths) >= MIN_CODE_LENGTH
  return areCodes || (areDistinct && digits.every((text, at) => at === 0 || Number(text) > Number(digits[at - 1])))
}
