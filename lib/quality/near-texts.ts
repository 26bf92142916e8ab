/**
 * Groups texts that differ by a few letters. Two texts within `k` edits share one of the `k + 1` pieces of the shorter
 * one, at nearly the same position, so only texts with a common piece are compared (PassJoin). Pure.
 */
import { distance } from 'fastest-levenshtein'
import { MAX_DISTANCE_LENGTH } from '../../schemas/quality/limits.ts'

/** One edit for every four characters of the shorter text: `AB` and `AC` are different codes. */
const MIN_CHARACTERS_PER_EDIT = 4

const getAllowedEdits = (length: number, radius: number): number =>
  Math.min(radius, Math.floor(length / MIN_CHARACTERS_PER_EDIT))

const getDigits = (text: string): string => text.replace(/\P{N}+/gu, ' ')

/** Different numbers are different values, so the digits of near texts are equal. */
export function areNear(a: string, b: string, radius: number): boolean {
  const allowed = getAllowedEdits(Math.min(a.length, b.length), radius)
  return (
    allowed > 0 &&
    Math.max(a.length, b.length) <= MAX_DISTANCE_LENGTH &&
    Math.abs(a.length - b.length) <= allowed &&
    getDigits(a) === getDigits(b) &&
    distance(a, b) <= allowed
  )
}

export class TooManyComparisonsError extends Error {}

export function groupNearTexts(texts: readonly string[], radius: number, maxComparisons: number): Uint32Array {
  const parents = Uint32Array.from(texts, (_, index) => index)
  const index = new Map<string, number[]>()
  let comparisons = 0
  const order = [...texts.keys()]
    .filter((at) => texts[at]!.length <= MAX_DISTANCE_LENGTH)
    .sort((a, b) => texts[a]!.length - texts[b]!.length)
  for (const at of order) {
    const text = texts[at]!
    const digits = getDigits(text)
    for (const key of listProbes(text, digits, radius))
      for (const other of index.get(key) ?? []) {
        if (findRoot(parents, other) === findRoot(parents, at)) continue
        if (++comparisons > maxComparisons) throw new TooManyComparisonsError()
        if (areNear(texts[other]!, text, radius)) link(parents, other, at)
      }
    for (const { key } of listPieces(text.length, getAllowedEdits(text.length, radius), text, digits)) {
      const block = index.get(key)
      if (block) block.push(at)
      else index.set(key, [at])
    }
  }
  return parents.map((_, at) => findRoot(parents, at))
}

function* listPieces(length: number, edits: number, text: string, digits: string, shift = 0) {
  if (edits === 0) return
  for (let piece = 0; piece <= edits; piece++) {
    const start = Math.floor((piece * length) / (edits + 1))
    const end = Math.floor(((piece + 1) * length) / (edits + 1))
    if (start + shift >= 0 && end + shift <= text.length)
      yield { key: `${length} ${piece} ${digits}\0${text.slice(start + shift, end + shift)}` }
  }
}

function listProbes(text: string, digits: string, radius: number): Set<string> {
  const probes = new Set<string>()
  for (let length = Math.max(1, text.length - radius); length <= text.length; length++) {
    const edits = getAllowedEdits(length, radius)
    for (let shift = -edits; shift <= edits; shift++)
      for (const { key } of listPieces(length, edits, text, digits, shift)) probes.add(key)
  }
  return probes
}

function findRoot(parents: Uint32Array, at: number): number {
  let root = at
  while (parents[root] !== root) root = parents[root]!
  for (let next = at; next !== root; ) {
    const parent = parents[next]!
    parents[next] = root
    next = parent
  }
  return root
}

function link(parents: Uint32Array, a: number, b: number): void {
  const [first, second] = [findRoot(parents, a), findRoot(parents, b)]
  parents[Math.max(first, second)] = Math.min(first, second)
}
