/** Reads Unix timestamps of programs, in seconds or milliseconds: 1710460800 is 2024-03-15. Pure. */
import { cleanText } from './texts.ts'

interface Timestamp {
  date: string
  hasTime: boolean
}

const SECONDS = /^[1-3]\d{9}$/
const MILLISECONDS = /^[1-3]\d{12}$/
const TEN_DIGITS = /\d{10}/
const DAY_MS = 86_400_000

/** From September 2001 to 2096: other numbers of 10 digits are rather phone numbers and ids. */
export function parseTimestamp(original: string): Timestamp | undefined {
  if (!TEN_DIGITS.test(original)) return undefined
  const text = cleanText(original)
  if (!SECONDS.test(text) && !MILLISECONDS.test(text)) return undefined
  const ms = Number(text.padEnd(13, '0'))
  return { date: new Date(ms).toISOString().slice(0, 10), hasTime: ms % DAY_MS !== 0 }
}
