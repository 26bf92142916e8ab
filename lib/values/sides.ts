/** Letters behind a number that say whether it is a debit or a credit: `12,50 S`, `1,234.00 CR`. Pure. */

export type Side = 'debit' | 'credit'

const PAIRS: readonly Readonly<Record<string, Side>>[] = [
  { S: 'debit', H: 'credit' },
  { D: 'debit', C: 'credit' },
  { DR: 'debit', CR: 'credit' },
]

const MARKED = /^(.*\d.*?)\s?(?<!\p{L})(S|H|C|D|CR|DR|Cr|Dr)\.?$/su
const HEADER = /(?<!\p{L})(?:s\/h|soll\s?\/\s?haben|dr\/cr|cr\/dr|d\/c|c\/d|debit\s?\/\s?credit)(?!\p{L})/iu

export interface MarkedNumber {
  text: string
  mark: string
}

export function splitSide(text: string): MarkedNumber | undefined {
  const last = text.charCodeAt(text.length - 1)
  if (last >= 48 && last <= 57) return undefined
  const [, rest, mark] = MARKED.exec(text.trim()) ?? []
  return mark === undefined ? undefined : { text: rest!, mark: mark.toUpperCase() }
}

export const getSide = (mark: string): Side => PAIRS.find((pair) => mark in pair)![mark]!

/** Both marks of a pair and no other, or one of them under a header such as `Betrag S/H`. */
export function areSides(marks: ReadonlySet<string>, header: string): boolean {
  const pair = PAIRS.find((one) => [...marks].every((mark) => mark in one))
  return pair !== undefined && (marks.size === 2 || (marks.size === 1 && HEADER.test(header)))
}
