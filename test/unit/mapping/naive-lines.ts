/** Tells records from other lines by one row, exactly as documented: the reference for the rule `leave-out`. */
import { isMissingWord } from '../../../lib/values/missing.ts'
import type { LeaveOut } from '../../../schemas/programs/other-lines.ts'

type Row = Record<string, string | null>

const TOTAL = /(^|\P{L})(total|summe|razem)(?!\p{L})/iu
const CARRIED_OVER = /(^|\P{L})(report|übertrag|transport)(?!\p{L})/iu
const PAGE = /^(page|seite) \d+$/i
const NUMBER = /^\d+([,.]\d+)?( €)?$/

const isNumber = (text: string): boolean => NUMBER.test(text) || /^\d+\.\d+\.\d+$/.test(text)

export function findLineNaively(row: Row, config: LeaveOut): string | undefined {
  const read = (key: string): string => {
    const text = (row[key] ?? '').trim()
    return isMissingWord(text) ? '' : text
  }
  const keys = config.filledColumns
  const present = keys.filter((key) => read(key) !== '')
  const others = config.otherColumns.map(read).filter((text) => text !== '')
  const isKey = (key: string): boolean => config.keyColumns.includes(key)
  const isNumberColumn = (key: string): boolean => config.numberColumns.includes(key)
  const hasDigits = (key: string): boolean => config.digitColumns.includes(key)
  const isBlank = (key: string): boolean => /^[\s-]*$/.test(row[key] ?? '')
  if (keys.filter(isBlank).length < 2) return undefined
  const nameOf = (text: string) => (CARRIED_OVER.test(text) ? 'carry-over' : TOTAL.test(text) ? 'total' : undefined)
  const isAmount = (key: string): boolean => isNumber(read(key)) && /^[^.,]*\d[.,]\d/.test(read(key))
  const hasName = present.some((key) => nameOf(read(key)))
  const isCode = (key: string): boolean => /^\S*\d\S*$/.test(read(key)) && !(hasName && isAmount(key))
  if (present.some((key) => isKey(key) && hasDigits(key) && isCode(key))) return undefined
  const texts = present.filter((key) => !isNumber(read(key)))
  const numbers = present.filter((key) => isNumber(read(key)))
  const isHalfBlank = (keys.length - present.length) * 2 >= keys.length
  const areSums = numbers.every((key) => isNumberColumn(key) && !isKey(key))

  if (texts.length === 1 && (areSums || config.keyColumns.length > 0)) {
    const [label] = texts
    const hasOtherKey = present.some((key) => isKey(key) && key !== label && !isAmount(key))
    const lacksKey = keys.some((key) => isKey(key) && read(key) === '')
    const name = nameOf(read(label!))
    if (!hasOtherKey && (isHalfBlank || lacksKey) && name) return name
  }
  if (texts.length === 0 && numbers.length > 0 && areSums && isHalfBlank) {
    const otherTexts = others.filter((text) => !isNumber(text))
    const name = otherTexts.length > 0 ? otherTexts.map(nameOf).find(Boolean) : undefined
    if (name) return name
    if (otherTexts.length === 0 && keys.filter((key) => !isNumberColumn(key)).length > 2) return 'total'
  }
  if (numbers.length === 0 && texts.length + others.length === 1 && keys.length >= 4) {
    const text = texts.length > 0 ? read(texts[0]!) : others[0]!
    if (!isNumber(text)) return nameOf(text) ?? (PAGE.test(text) ? 'page' : 'text')
  }
  if (!isHalfBlank || texts.length + others.length < 2 || config.keyColumns.length === 0) return undefined
  const isMisplaced = (key: string): boolean =>
    (isNumberColumn(key) && !isNumber(read(key))) || (hasDigits(key) && !/\d/.test(read(key)))
  const keysPresent = present.filter(isKey)
  const hasPage = [...texts.map(read), ...others].some((text) => PAGE.test(text))
  if (hasPage && keysPresent.every((key) => isMisplaced(key) || !isNumber(read(key)))) return 'page'
  if (!keysPresent.every(isMisplaced)) return undefined
  const typed = present.filter((key) => isNumberColumn(key) || hasDigits(key))
  return typed.length >= 2 && typed.every(isMisplaced) ? 'page' : undefined
}
