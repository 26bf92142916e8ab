/** Words that people and programs write where a value is missing. */
import words from './missing-words.json' with { type: 'json' }
import { cleanText, withoutAccents } from './texts.ts'

const DASHES = /^[-–—_?]{1,5}$/
/** Compared without spaces and accents. */
const WORDS = new Set(
  Object.values(words)
    .flat()
    .map((word) => word.replace(/ /g, '')),
)
const MAX_LENGTH = 24
const DIGIT = /\d/

export function isMissingWord(text: string): boolean {
  if (text.length > MAX_LENGTH || DIGIT.test(text)) return false
  const word = cleanText(text)
  return DASHES.test(word) || WORDS.has(withoutAccents(word.toLowerCase()).replace(/[\s.()<>[\]]/g, ''))
}

export const isDash = (text: string): boolean => DASHES.test(cleanText(text))
