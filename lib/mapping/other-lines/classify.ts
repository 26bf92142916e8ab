/** Tells totals, carry-overs, page headings and single texts from records, by one row and the columns of its table. Pure. */
import type { LeaveOut, LineKind } from '../../../schemas/programs/other-lines.ts'
import { isDash, isMissingWord } from '../../values/missing.ts'
import { withoutAccents } from '../../values/texts.ts'
import { findCurrencies } from '../../values/units.ts'
import { toText } from '../rules/cells.ts'
import type { ColumnOf } from '../rules/filter.ts'
import words from './words.json' with { type: 'json' }

export type FoundLines = ReadonlyMap<number, LineKind>
export type LineFinder = (column: ColumnOf, length: number) => FoundLines

const NO_LINES: FoundLines = new Map()

export function createLineFinder(config: LeaveOut): LineFinder {
  const classify = createClassifier(config)
  return (column, length) => {
    const filled = config.filledColumns.map(column)
    const others = config.otherColumns.map(column)
    let lines: Map<number, LineKind> | undefined
    for (let row = 0; row < length; row++) {
      if (!hasBlankCells(filled, row)) continue
      const kind = classify(
        filled.map((cells) => toShownText(cells[row])),
        others.map((cells) => toShownText(cells[row])),
      )
      if (kind) lines = (lines ?? new Map<number, LineKind>()).set(row, kind)
    }
    return lines ?? NO_LINES
  }
}

function hasBlankCells(columns: readonly (readonly unknown[])[], row: number): boolean {
  let blank = 0
  for (const cells of columns) if (isBlankCell(cells[row]) && ++blank === MIN_BLANK) return true
  return false
}

const isBlankCell = (cell: unknown): boolean => cell === null || cell === undefined || cell === '' || isBlankText(cell)

export const isBlankText = (cell: unknown): boolean =>
  typeof cell === 'string' &&
  ((cell.charCodeAt(0) <= SPACE && toShownText(cell) === '') || (cell[0] === '-' && isDash(cell)))
const SPACE = 32

/** Empty for texts that stand for a missing value. */
export function toShownText(cell: unknown): string {
  const text = toText(cell).trim()
  return text === '' || isMissingWord(text) ? '' : text
}

/** A row with such a key is a record, whatever its other texts are. */
const CODE = /^\S*\d\S*$/
const MIN_BLANK = 2
const MIN_COLUMNS_OF_TEXTS = 4
const MIN_TEXT_COLUMNS = 2

type Classifier = (filled: readonly string[], others: readonly string[]) => LineKind | undefined

interface Line {
  filled: readonly string[]
  /** Indexes of `filled` that have a text that is not a number. */
  texts: readonly number[]
  numbers: readonly number[]
  others: readonly string[]
  isMostlyBlank: boolean
}

function createClassifier(config: LeaveOut): Classifier {
  const mark = (keys: readonly string[]) => config.filledColumns.map((key) => keys.includes(key))
  const marks: ColumnMarks = {
    isKey: mark(config.keyColumns),
    isNumber: mark(config.numberColumns),
    hasDigits: mark(config.digitColumns),
  }
  const { isKey, hasDigits } = marks
  return (filled, otherTexts) => {
    const present = filled.flatMap((text, at) => (text === '' ? [] : [at]))
    const blank = filled.length - present.length
    const hasLabel = present.some((at) => findLabel(filled[at]!) !== undefined)
    const isPair = present.length === 2 && otherTexts.every((text) => text === '')
    const isCode = (at: number): boolean =>
      CODE.test(filled[at]!) && !(hasLabel && isAmount(filled[at]!)) && !isCountOfLines(filled, at, isPair)
    if (blank < MIN_BLANK || present.some((at) => isKey[at] && hasDigits[at] && isCode(at))) return undefined
    const line: Line = {
      filled,
      texts: present.filter((at) => !isNumeric(filled[at]!)),
      numbers: present.filter((at) => isNumeric(filled[at]!)),
      others: otherTexts.filter((text) => text !== ''),
      isMostlyBlank: blank * 2 >= filled.length,
    }
    const found = findTotal(line, marks) ?? (isNamedNumber(line) ? 'total' : undefined)
    return found ?? findSingleText(line) ?? (isPageHeading(line, marks) ? 'page' : undefined)
  }
}

interface ColumnMarks {
  isKey: readonly boolean[]
  isNumber: readonly boolean[]
  hasDigits: readonly boolean[]
}

function findTotal(line: Line, marks: ColumnMarks): LineKind | undefined {
  const { filled, texts, numbers, others, isMostlyBlank } = line
  const { isKey, isNumber } = marks
  const areSums = numbers.every((at) => isNumber[at] && !isKey[at])
  const [label] = texts
  if (label === undefined) {
    if (isCount(line, marks)) return 'total'
    if (!areSums) return undefined
    const textColumns = filled.filter((_, at) => !isNumber[at]).length
    const otherTexts = others.filter((text) => !isNumeric(text))
    if (otherTexts.length === 0)
      return numbers.length > 0 && isMostlyBlank && textColumns > MIN_TEXT_COLUMNS ? 'total' : undefined
    const isLabelledSum = otherTexts.length === 1 && others.length === 2 && filled.every((text) => text === '')
    return isLabelledSum || (numbers.length > 0 && isMostlyBlank) ? otherTexts.map(findLabel).find(Boolean) : undefined
  }
  const isCounted = (at: number) => at === label + 1 && /^\d+$/.test(filled[at]!)
  const isLabelOfNext = (at: number): boolean => findLabel(filled[at]!) !== undefined && numbers.includes(at + 1)
  const isOtherText = (at: number): boolean =>
    at !== label && !isNumber[at] && !findCurrencies(filled[at]!) && !isLabelOfNext(at)
  if (texts.some(isOtherText)) return undefined
  if (!areSums && !isKey.includes(true) && !numbers.every(isCounted)) return undefined
  const isWithoutKey = filled.every(
    (text, at) => !isKey[at] || at === label || text === '' || isPhrase(text) || isCounted(at) || isAmount(text),
  )
  const lacksKey = filled.some((text, at) => isKey[at] && text === '')
  return isWithoutKey && (isMostlyBlank || lacksKey) ? findLabel(filled[label]!) : undefined
}

function isNamedNumber({ filled, texts, numbers, others }: Line): boolean {
  const [name, ...otherNames] = texts.map((at) => filled[at]!)
  const [number, ...otherNumbers] = [...numbers.map((at) => filled[at]!), ...others]
  if (!name?.endsWith(':') || number === undefined || otherNames.length + otherNumbers.length > 0) return false
  return isNumeric(number)
}

/** `26 trees`, and nothing else but sums, below the numbers of trees. */
function isCount({ filled, numbers, others, isMostlyBlank }: Line, { isKey, isNumber }: ColumnMarks): boolean {
  const [at, ...sums] = numbers
  if (at === undefined || !others.every(isNumeric) || filled.length < MIN_COLUMNS_OF_TEXTS) return false
  const areSums = sums.every((sum) => isNumber[sum] && !isKey[sum])
  return isMostlyBlank && areSums && !isNumber[at]! && isPhrase(filled[at]!)
}

const isCountOfLines = (filled: readonly string[], at: number, isRest: boolean): boolean =>
  at > 0 &&
  /^\d+$/.test(filled[at]!) &&
  findLabel(filled[at - 1]!) === 'total' &&
  (COUNTED.some((word) => toLabel(filled[at - 1]!).includes(word)) || (isRest && /\s\p{L}/u.test(filled[at - 1]!)))

/** No code, but the sum of amounts that look like codes: 135, 180 and 140. */
const isAmount = (text: string): boolean => isNumeric(text) && /^[^.,]*\d[.,]\d/.test(text)

/** Such as `44 orders` below numbers of orders. */
const isPhrase = (text: string): boolean => isNumeric(text) && /\s\p{L}/u.test(text)

function findSingleText({ filled, texts, numbers, others }: Line): LineKind | undefined {
  if (numbers.length > 0 || texts.length + others.length !== 1 || filled.length < MIN_COLUMNS_OF_TEXTS) return undefined
  const text = texts.length > 0 ? filled[texts[0]!]! : others[0]!
  if (isNumeric(text)) return undefined
  return findLabel(text) ?? (PAGE.test(fold(text)) ? 'page' : 'text')
}

/** Texts in columns of numbers and dates, such as a title and a page number. */
function isPageHeading({ filled, texts, numbers, others, isMostlyBlank }: Line, marks: ColumnMarks): boolean {
  const { isKey, isNumber, hasDigits } = marks
  if (!isMostlyBlank || texts.length + others.length < 2) return false
  const isMisplaced = (at: number): boolean =>
    (isNumber[at]! && !isNumeric(filled[at]!)) || (hasDigits[at]! && !/\d/.test(filled[at]!))
  const present = [...texts, ...numbers]
  if (!isKey.includes(true)) return false
  const keys = present.filter((at) => isKey[at])
  const hasPage = [...texts.map((at) => filled[at]!), ...others].some((text) => PAGE.test(fold(text)))
  if (hasPage && keys.every((at) => isMisplaced(at) || !isNumeric(filled[at]!))) return true
  if (!keys.every(isMisplaced)) return false
  const typed = present.filter((at) => isNumber[at] || hasDigits[at])
  return typed.length >= 2 && typed.every(isMisplaced)
}

const NUMERIC =
  /^[-+−(]?\s?(?:[A-Z]{0,2}\p{Sc}|[A-Z]{3}|R(?=\s))?\s?[-+−]?\d[\d.,'’\s]*(?:\s?(?:[%‰]|\p{Sc}|\p{L}{1,12}[.²³]?))?\s?[-−)]?\)?$/u
const MAX_NUMBER_CHARACTERS = 40
export const isNumeric = (text: string): boolean => text.length <= MAX_NUMBER_CHARACTERS && NUMERIC.test(text)

const PAGE = new RegExp(
  `(?:^|\\s)(?:${words.pages.join('|')})\\W{0,4}\\d{1,5}(?:\\W+(?:\\p{L}+\\W+)?\\d{1,5})?\\W*$`,
  'u',
)
const MAX_LABEL_CHARACTERS = 80
const listPhrases = (languages: Record<string, string[]>): string[] =>
  Object.values(languages)
    .flat()
    .map((phrase) => ` ${phrase} `)
const CARRIED_OVER = listPhrases(words.carriedOver)
const TOTALS = listPhrases(words.totals)
const COUNTED = listPhrases(words.counted)

const fold = (text: string): string => withoutAccents(text.toLowerCase())

const toLabel = (text: string): string =>
  ` ${fold(text)
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()} `

function findLabel(text: string): LineKind | undefined {
  if (text.length > MAX_LABEL_CHARACTERS) return undefined
  const label = toLabel(text)
  if (CARRIED_OVER.some((phrase) => label.includes(phrase))) return 'carry-over'
  return TOTALS.some((phrase) => label.includes(phrase)) ? 'total' : undefined
}
