import { doubleMetaphone } from 'double-metaphone'
import type { KeyMethod } from '../../schemas/quality/shape.ts'
import { cleanText, withoutAccents } from '../values/texts.ts'

export const foldText = (text: string): string => withoutAccents(cleanText(text).toLowerCase())

const SEPARATOR = /[\s,;:/\\|_&\-\u2010-\u2015]/u
const PUNCTUATION = /\p{P}/u
const [WORD, SEPARATING, IGNORED] = [0, 1, 2]

const classify = (character: string): number =>
  SEPARATOR.test(character) ? SEPARATING : PUNCTUATION.test(character) ? IGNORED : WORD

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => classify(String.fromCharCode(code)))

function splitTokens(text: string): string[] {
  const folded = foldText(text)
  const tokens: string[] = []
  let token = ''
  let start = 0
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at)
    const kind = code < 128 ? ASCII[code]! : classify(folded[at]!)
    if (kind === WORD) continue
    if (at > start) token += folded.slice(start, at)
    start = at + 1
    if (kind === IGNORED || token === '') continue
    tokens.push(token)
    token = ''
  }
  token += folded.slice(start)
  if (token !== '') tokens.push(token)
  return tokens.length > 1 ? [...new Set(tokens)].sort() : tokens
}

const fingerprint = (text: string): string => splitTokens(text).join(' ')

const NGRAM_SIZE = 2

const NOT_IN_GRAMS = /[\p{P}\s]/gu

function ngramFingerprint(text: string): string {
  const letters = foldText(text).replace(NOT_IN_GRAMS, '')
  if (letters.length <= NGRAM_SIZE) return letters
  const grams = new Set<string>()
  for (let i = 0; i + NGRAM_SIZE <= letters.length; i++) grams.add(letters.slice(i, i + NGRAM_SIZE))
  return [...grams].sort().join('')
}

const ENGLISH_WORD = /^[a-z]+$/
const MAX_CACHED_SOUNDS = 10_000
const sounds = new Map<string, string>()

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
