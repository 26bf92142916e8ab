/** Keys under which different spellings of a value are equal. Pure. */
import { doubleMetaphone } from 'double-metaphone'
import type { KeyMethod } from '../../schemas/quality/shape.ts'
import { cleanText, withoutAccents } from '../values/texts.ts'

export const foldText = (text: string): string => withoutAccents(cleanText(text).toLowerCase())

const SEPARATORS = /[\s,;:/\\|_&\-\u2010-\u2015]+/u
const PUNCTUATION = /\p{P}/gu
const PLAIN_WORD = /^[a-z0-9]+$/

function splitTokens(text: string): string[] {
  const tokens = new Set<string>()
  for (const part of foldText(text).split(SEPARATORS)) {
    const token = PLAIN_WORD.test(part) ? part : part.replace(PUNCTUATION, '')
    if (token !== '') tokens.add(token)
  }
  return [...tokens]
}

const fingerprint = (text: string): string => splitTokens(text).sort().join(' ')

const NGRAM_SIZE = 2

function ngramFingerprint(text: string): string {
  const letters = splitTokens(text).length > 0 ? foldText(text).replace(/[\p{P}\s]/gu, '') : ''
  if (letters.length <= NGRAM_SIZE) return letters
  const grams = new Set<string>()
  for (let i = 0; i + NGRAM_SIZE <= letters.length; i++) grams.add(letters.slice(i, i + NGRAM_SIZE))
  return [...grams].sort().join('')
}

const ENGLISH_WORD = /^[a-z]+$/
const MAX_CACHED_SOUNDS = 10_000
const sounds = new Map<string, string>()

/** Words with digits or letters of other alphabets have no sound and stay as they are. */
function toSound(token: string): string {
  if (!ENGLISH_WORD.test(token)) return token
  const known = sounds.get(token)
  if (known !== undefined) return known
  if (sounds.size >= MAX_CACHED_SOUNDS) sounds.clear()
  const sound = doubleMetaphone(token)[0].toLowerCase() || token
  sounds.set(token, sound)
  return sound
}

const phoneticFingerprint = (text: string): string => [...new Set(splitTokens(text).map(toSound))].sort().join(' ')

/** An empty key equals no other value. */
export const KEYS: Readonly<Record<KeyMethod, (text: string) => string>> = {
  fingerprint,
  ngram: ngramFingerprint,
  phonetic: phoneticFingerprint,
}
