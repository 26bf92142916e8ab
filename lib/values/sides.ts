/** Letters behind a number that say whether it is a debit or a credit: `12,50 S`, `1,234.00 CR`. Pure. */
import { findUnits } from './units.ts'

export type Side = 'debit' | 'credit'

const PAIRS: readonly Readonly<Record<string, Side>>[] = [
  { S: 'debit', H: 'credit' },
  { D: 'debit', C: 'credit' },
  { DR: 'debit', CR: 'credit' },
]

/** Tested on the end of a text only, so that its time does not grow with the text. */
const MARK = /\s?(?<![\p{L}°º])(S|H|C|D|CR|DR|Cr|Dr)\.?$/u
const MARK_LENGTH = 6
const HEADER = /(?<!\p{L})(?:s\/h|soll\s?\/\s?haben|dr\/cr|cr\/dr|d\/c|c\/d|debit\s?\/\s?credit)(?!\p{L})/iu

export interface MarkedNumber {
  text: string
  mark: string
}

export function splitSide(text: string): MarkedNumber | undefined {
  const last = text.charCodeAt(text.length - 1)
  if (last >= 48 && last <= 57) return undefined
  const trimmed = text.trim()
  const [end = '', mark] = MARK.exec(trimmed.slice(-MARK_LENGTH)) ?? []
  if (mark === undefined) return undefined
  const rest = trimmed.slice(0, trimmed.length - end.length)
  return /\d/.test(rest) ? { text: rest, mark: mark.toUpperCase() } : undefined
}

export const getSide = (mark: string): Side => PAIRS.find((pair) => mark in pair)![mark]!

/** Both marks of a pair and no other, or one of them under a header such as `Betrag S/H`. */
export function areSides(marks: ReadonlySet<string>, header: string): boolean {
  const pair = PAIRS.find((one) => [...marks].every((mark) => mark in one))
  return pair !== undefined && (marks.size === 2 || (marks.size === 1 && HEADER.test(header)))
}

const CENTS = /[.,]\d{2}$/

/** A letter without its pair is a side behind amounts such as `12,50 H`, but not behind hours. */
export function areLoneSides(marks: ReadonlySet<string>, texts: readonly string[], names: readonly string[]): boolean {
  const [mark, ...others] = marks
  if (mark?.length !== 1 || others.length > 0 || !texts.every((text) => CENTS.test(text.trim()))) return false
  return !names.some((name) => TIME_NAME.test(name) || findUnits(name).size > 0)
}

const TIME_NAME =
  /(?<!\p{L})(?:h|hrs?|hours?|std|stunden?|arbeitszeit|zeit|time|days?|tage?|heures?|jours?|horas?|d[ií]as?|ore|giorni|uren|dagen|dias|godz\p{L}*|czas|dni|dura\p{L}*|dauer|duur)(?!\p{L})/iu
