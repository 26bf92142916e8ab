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

const LOWER = Uint8Array.from({ length: 128 }, (_, code) => String.fromCharCode(code).toLowerCase().charCodeAt(0))

const HASH_SEED = 0x811c9dc5
const addToHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)

function mixHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

/** The tokens of a key have no order and no repetitions, and so has the sum of their different hashes. */
function createTokenSum() {
  let hashes = new Int32Array(16)
  let count = 0
  let sum = 0
  return {
    start: () => {
      count = 0
      sum = 0
    },
    add: (hash: number) => {
      for (let i = 0; i < count; i++) if (hashes[i] === hash) return
      if (count === hashes.length) hashes = growHashes(hashes)
      hashes[count++] = hash
      sum = (sum + mixHash(hash)) | 0
    },
    take: () => sum,
  }
}

function growHashes(hashes: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(hashes.length * 2)
  grown.set(hashes)
  return grown
}

const tokenSum = createTokenSum()

function hashTokens(key: string): number {
  tokenSum.start()
  let hash = HASH_SEED
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i)
    if (code !== SPACE) hash = addToHash(hash, code)
    else {
      tokenSum.add(hash)
      hash = HASH_SEED
    }
  }
  if (key !== '') tokenSum.add(hash)
  return tokenSum.take()
}

const SPACE = 32

const NGRAM_SIZE = 2

const NOT_IN_GRAMS = /[\p{P}\s]/gu

function ngramFingerprint(text: string): string {
  const letters = foldText(text).replace(NOT_IN_GRAMS, '')
  if (letters.length <= NGRAM_SIZE) return letters
  const grams = new Set<string>()
  for (let i = 0; i + NGRAM_SIZE <= letters.length; i++) grams.add(letters.slice(i, i + NGRAM_SIZE))
  return [...grams].sort().join('')
}

function hashGrams(key: string): number {
  let sum = 0
  for (let i = 0; i < key.length; i += NGRAM_SIZE)
    sum = (sum + mixHash((key.charCodeAt(i) << 16) | (i + 1 < key.length ? key.charCodeAt(i + 1) : 0))) | 0
  return sum
}

const IN_GRAMS = Uint8Array.from({ length: 128 }, (_, code) => (/[\p{P}\s]/u.test(String.fromCharCode(code)) ? 0 : 1))
/** By two letters: the number of the last text that has them. */
const seenGrams = new Uint32Array(128 * 128)
let textNumber = 0

function hashGramsOfBytes(bytes: Uint8Array, from: number, to: number): number {
  if (++textNumber > 0xffffffff) {
    seenGrams.fill(0)
    textNumber = 1
  }
  let sum = 0
  let previous = -1
  let letters = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    if (IN_GRAMS[byte] === 0) continue
    const code = LOWER[byte]!
    const gram = previous * 128 + code
    if (letters++ > 0 && seenGrams[gram] !== textNumber) {
      seenGrams[gram] = textNumber
      sum = (sum + mixHash((previous << 16) | code)) | 0
    }
    previous = code
  }
  return letters === 1 ? mixHash(previous << 16) : sum
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

const A = 97
const Z = 122
let tokenBytes = Buffer.alloc(256)

function hashWord(word: string): number {
  let hash = HASH_SEED
  for (let i = 0; i < word.length; i++) hash = addToHash(hash, word.charCodeAt(i))
  return hash
}

/** @param replaceWord replaces tokens of the letters a to z */
const createByteHasher =
  (replaceWord?: (token: string) => string): NonNullable<KeyMaker['hashBytes']> =>
  (bytes, from, to) => {
    if (to - from > tokenBytes.length) tokenBytes = Buffer.alloc(2 * (to - from))
    tokenSum.start()
    let hash = HASH_SEED
    let length = 0
    let isWord = true
    for (let at = from; at <= to; at++) {
      const kind = at < to ? ASCII[bytes[at]!]! : SEPARATING
      if (kind === WORD) {
        const code = LOWER[bytes[at]!]!
        hash = addToHash(hash, code)
        tokenBytes[length++] = code
        isWord &&= code >= A && code <= Z
      } else if (kind === SEPARATING && length > 0) {
        tokenSum.add(replaceWord && isWord ? hashWord(replaceWord(tokenBytes.toString('latin1', 0, length))) : hash)
        hash = HASH_SEED
        length = 0
        isWord = true
      }
    }
    return tokenSum.take()
  }

export interface KeyMaker {
  toKey: (text: string) => string
  hashKey: (key: string) => number
  /** The hash of the key of printable ASCII characters, without making the key. */
  hashBytes?: (bytes: Uint8Array, from: number, to: number) => number
}

export const KEYS: Readonly<Record<KeyMethod, KeyMaker>> = {
  fingerprint: { toKey: fingerprint, hashKey: hashTokens, hashBytes: createByteHasher() },
  ngram: { toKey: ngramFingerprint, hashKey: hashGrams, hashBytes: hashGramsOfBytes },
  phonetic: { toKey: phoneticFingerprint, hashKey: hashTokens, hashBytes: createByteHasher(toSound) },
}

export const createKeyMaker = (toKey: KeyMaker['toKey']): KeyMaker => ({ toKey, hashKey: hashTokens })
