/** Patterns of `like`: `%` any run of characters, `_` one character. In time linear in the text. Pure. */
import { textFinder } from '../../../core/find-text.ts'

const ANY_RUN = Symbol('%')
const ANY_ONE = Symbol('_')
type Part = string | typeof ANY_RUN | typeof ANY_ONE

/** The characters of a pattern; a backslash takes `%`, `_` and `\` as they are. */
function partsOf(pattern: string): Part[] {
  const chars = Array.from(pattern)
  const parts: Part[] = []
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    const next = chars[i + 1]
    if (char === '\\' && (next === '%' || next === '_' || next === '\\')) {
      parts.push(next)
      i++
    } else parts.push(char === '%' ? ANY_RUN : char === '_' ? ANY_ONE : char)
  }
  return parts
}

/** The longest text without wildcards that a pattern holds. */
export function longestRun(pattern: string): string {
  const runs = ['']
  for (const part of partsOf(pattern)) {
    if (typeof part === 'string') runs[runs.length - 1] += part
    else runs.push('')
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
}

/** Does a pattern have a `_` that no backslash is before? */
export const takesAnyCharacter = (pattern: string): boolean => partsOf(pattern).includes(ANY_ONE)

/** A test of whole texts against a pattern; letter case counts. */
export function likeTest(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern)
  const runs: (string | typeof ANY_ONE)[][] = [[]]
  for (const part of parts) {
    if (part === ANY_RUN) runs.push([])
    else runs.at(-1)!.push(part)
  }
  if (!parts.includes(ANY_ONE)) return textTest(runs.map((run) => run.map(String).join('')))
  const sought = runs.map((run) => run.map((part) => (part === ANY_ONE ? ANY_POINT : part.codePointAt(0)!)))
  return pointsTest(sought)
}

/** The first run begins the text, the last ends it, the others follow each other in between. */
function textTest(runs: readonly string[]): (text: string) => boolean {
  const first = runs[0]!
  if (runs.length === 1) return (text) => text === first
  const last = runs.at(-1)!
  const between = runs.slice(1, -1).map((run) => ({ length: run.length, next: textFinder(run) }))
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const { length, next } of between) {
      const found = next(text, at)
      if (found < 0) return false
      at = found + length
    }
    return at <= text.length - last.length
  }
}

/** In place of a code point: any is taken. */
const ANY_POINT = -1

/** The same for runs in which `_` takes any character: of several UTF-16 units, too. */
function pointsTest(runs: readonly (readonly number[])[]): (text: string) => boolean {
  const first = runs[0]!
  const last = runs.at(-1)!
  const between = runs.slice(1, -1).map((run) => ({ length: run.length, next: pointsFinder(run) }))
  return (text) => {
    const points = pointsOf(text)
    if (runs.length === 1) return points.length === first.length && fits(points, 0, first)
    const end = points.length - last.length
    if (end < first.length || !fits(points, 0, first) || !fits(points, end, last)) return false
    let at = first.length
    for (const { length, next } of between) {
      const found = next(points, at)
      if (found < 0) return false
      at = found + length
    }
    return at <= end
  }
}

function fits(points: Uint32Array, from: number, run: readonly number[]): boolean {
  return run.every((point, i) => point === ANY_POINT || points[from + i] === point)
}

function pointsOf(text: string): Uint32Array {
  const points = new Uint32Array(text.length)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at)!
    points[count++] = point
    if (point > 0xffff) at++
  }
  return points.subarray(0, count)
}

const WORD_BITS = 32

/**
 * Where a run is next, at or after a position. Bit i of the state says that the run's first i + 1 characters end here
 * (Shift-And): a character of the text costs the words that have such a bit, mostly one, at most a 32nd of the run.
 */
function pointsFinder(run: readonly number[]): (points: Uint32Array, from: number) => number {
  if (run.length === 0) return (_, from) => from
  const words = Math.ceil(run.length / WORD_BITS)
  const lastBit = 1 << ((run.length - 1) % WORD_BITS)
  const anyMask = maskOf(run, words, ANY_POINT)
  const masks = new Map(run.map((point) => [point, undefined as Uint32Array | undefined]))
  const maskAt = (point: number): Uint32Array => {
    if (!masks.has(point)) return anyMask
    const known = masks.get(point) ?? maskOf(run, words, point)
    masks.set(point, known)
    return known
  }
  return (points, from) => {
    const state = new Uint32Array(words)
    let used = 1
    for (let at = from; at < points.length; at++) {
      const mask = maskAt(points[at]!)
      let carry = 1
      for (let word = 0; word < used; word++) {
        const before = state[word]!
        state[word] = ((before << 1) | carry) & mask[word]!
        carry = before >>> (WORD_BITS - 1)
      }
      if (carry && used < words) state[used++] = carry & mask[used - 1]!
      while (used > 1 && state[used - 1] === 0) used--
      if (used === words && state[words - 1]! & lastBit) return at - run.length + 1
    }
    return -1
  }
}

/** Where in the run a character may be: wherever it is itself, and at each `_`. */
function maskOf(run: readonly number[], words: number, point: number): Uint32Array {
  const mask = new Uint32Array(words)
  for (const [i, own] of run.entries())
    if (own === point || own === ANY_POINT) mask[Math.floor(i / WORD_BITS)]! |= 1 << (i % WORD_BITS)
  return mask
}
