/** Patterns of `like`: `%` is any run of characters, `_` any one character. Runs in time linear in the text. */
import { createTextFinder } from '../../../core/find-text.ts'

const ANY_RUN = Symbol('%')
const ANY_CHARACTER = Symbol('_')
type PatternPart = string | typeof ANY_RUN | typeof ANY_CHARACTER

function parsePattern(pattern: string): PatternPart[] {
  const chars = Array.from(pattern)
  const parts: PatternPart[] = []
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    const next = chars[i + 1]
    if (char === '\\' && (next === '%' || next === '_' || next === '\\')) {
      parts.push(next)
      i++
    } else parts.push(char === '%' ? ANY_RUN : char === '_' ? ANY_CHARACTER : char)
  }
  return parts
}

export function findLongestRun(pattern: string): string {
  const runs = ['']
  for (const part of parsePattern(pattern)) {
    if (typeof part === 'string') runs[runs.length - 1] += part
    else runs.push('')
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
}

export const hasAnyCharacter = (pattern: string): boolean => parsePattern(pattern).includes(ANY_CHARACTER)

export function createLikeTest(pattern: string): (text: string) => boolean {
  const parts = parsePattern(pattern)
  const runs: (string | typeof ANY_CHARACTER)[][] = [[]]
  for (const part of parts) {
    if (part === ANY_RUN) runs.push([])
    else runs.at(-1)!.push(part)
  }
  if (!parts.includes(ANY_CHARACTER)) return createTextTest(runs.map((run) => run.map(String).join('')))
  const pointRuns = runs.map((run) => run.map((part) => (part === ANY_CHARACTER ? ANY_POINT : part.codePointAt(0)!)))
  return createPointsTest(pointRuns)
}

function createTextTest(runs: readonly string[]): (text: string) => boolean {
  const first = runs[0]!
  if (runs.length === 1) return (text) => text === first
  const last = runs.at(-1)!
  const middleRuns = runs.slice(1, -1).map((run) => ({ length: run.length, next: createTextFinder(run) }))
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const { length, next } of middleRuns) {
      const found = next(text, at)
      if (found < 0) return false
      at = found + length
    }
    return at <= text.length - last.length
  }
}

const ANY_POINT = -1

/** Compares code points, so that `_` also matches a character of two UTF-16 units. */
function createPointsTest(runs: readonly (readonly number[])[]): (text: string) => boolean {
  const first = runs[0]!
  const last = runs.at(-1)!
  const middleRuns = runs.slice(1, -1).map((run) => ({ length: run.length, next: createPointsFinder(run) }))
  return (text) => {
    const points = toCodePoints(text)
    if (runs.length === 1) return points.length === first.length && matchesAt(points, 0, first)
    const end = points.length - last.length
    if (end < first.length || !matchesAt(points, 0, first) || !matchesAt(points, end, last)) return false
    let at = first.length
    for (const { length, next } of middleRuns) {
      const found = next(points, at)
      if (found < 0) return false
      at = found + length
    }
    return at <= end
  }
}

function matchesAt(points: Uint32Array, from: number, run: readonly number[]): boolean {
  return run.every((point, i) => point === ANY_POINT || points[from + i] === point)
}

function toCodePoints(text: string): Uint32Array {
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

/** Shift-And: bit i of the state means that the run's first i + 1 characters end here. */
function createPointsFinder(run: readonly number[]): (points: Uint32Array, from: number) => number {
  if (run.length === 0) return (_, from) => from
  const words = Math.ceil(run.length / WORD_BITS)
  const lastBit = 1 << ((run.length - 1) % WORD_BITS)
  const anyMask = buildMask(run, words, ANY_POINT)
  const masks = new Map(run.map((point) => [point, undefined as Uint32Array | undefined]))
  const getMask = (point: number): Uint32Array => {
    if (!masks.has(point)) return anyMask
    const cached = masks.get(point) ?? buildMask(run, words, point)
    masks.set(point, cached)
    return cached
  }
  return (points, from) => {
    const state = new Uint32Array(words)
    let usedWords = 1
    for (let at = from; at < points.length; at++) {
      const mask = getMask(points[at]!)
      let carry = 1
      for (let word = 0; word < usedWords; word++) {
        const previous = state[word]!
        state[word] = ((previous << 1) | carry) & mask[word]!
        carry = previous >>> (WORD_BITS - 1)
      }
      if (carry && usedWords < words) state[usedWords++] = carry & mask[usedWords - 1]!
      while (usedWords > 1 && state[usedWords - 1] === 0) usedWords--
      if (usedWords === words && state[words - 1]! & lastBit) return at - run.length + 1
    }
    return -1
  }
}

function buildMask(run: readonly number[], words: number, point: number): Uint32Array {
  const mask = new Uint32Array(words)
  for (const [i, runPoint] of run.entries())
    if (runPoint === point || runPoint === ANY_POINT) mask[Math.floor(i / WORD_BITS)]! |= 1 << (i % WORD_BITS)
  return mask
}
