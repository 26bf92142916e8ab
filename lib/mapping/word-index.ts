/** The words of many names, compared with each other once, so that comparing two names only looks them up. Pure. */
import { isAbbreviation } from './abbreviations.ts'
import type { Name } from './names.ts'
import { getSpellingSimilarity, type Spelling, toSpelling } from './tokenize.ts'
import { isKnownWord } from './vocabulary.ts'

export interface WordIndex {
  /** The share of words, by weight, that both names have. */
  getSharedWordRatio(a: Name, b: Name): number
  /** The share of the words of `part`, by weight, that `whole` has. */
  getCoverage(whole: Name, part: Name): number
}

const MIN_WORD_SIMILARITY = 0.8
/** For a misspelled or shortened word. */
const RESEMBLING_WORD_FACTOR = 0.9

export function createWordIndex(names: readonly Name[]): WordIndex {
  const ids = new Map<string, number>()
  const idsByName = new Map<Name, Int32Array>()
  for (const name of new Set(names))
    idsByName.set(
      name,
      Int32Array.from(name.words, ({ text }) => {
        const id = ids.get(text) ?? ids.size
        ids.set(text, id)
        return id
      }),
    )
  const similarIds = findSimilarWords([...ids.keys()])
  const positions = new Int32Array(ids.size)

  return {
    getCoverage(whole, part) {
      const ids = new Set(idsByName.get(whole)!)
      const covered = part.words.filter((_, at) => similarIds[idsByName.get(part)![at]!]!.some((id) => ids.has(id)))
      return covered.reduce((sum, { weight }) => sum + weight, 0) / Math.max(part.weight, 1)
    },
    getSharedWordRatio(a, b) {
      const totalWeight = a.weight + b.weight
      if (totalWeight === 0) return 0
      const [ownIds, otherIds] = [idsByName.get(a)!, idsByName.get(b)!]
      for (let at = 0; at < otherIds.length; at++) positions[otherIds[at]!]! |= 1 << at
      let free = -1
      let shared = 0
      for (let at = 0; at < ownIds.length; at++) {
        const found = findFirst(similarIds[ownIds[at]!]!, positions, free)
        if (found === 0) continue
        const position = 31 - Math.clz32(found)
        const weight = a.words[at]!.weight + b.words[position]!.weight
        shared += otherIds[position] === ownIds[at] ? weight : weight * RESEMBLING_WORD_FACTOR
        free &= ~found
      }
      for (let at = 0; at < otherIds.length; at++) positions[otherIds[at]!] = 0
      return shared / totalWeight
    },
  }
}

function findFirst(ids: readonly number[], positions: Int32Array, free: number): number {
  let found = 0
  for (const id of ids) found |= positions[id]! & free
  return found & -found
}

interface IndexedWord {
  id: number
  spelling: Spelling
  isKnown: boolean
}

/** For each word, the ids of itself and of similar words with the same first letter. */
function findSimilarWords(words: readonly string[]): number[][] {
  const similarIds = words.map((_, id) => [id])
  const byLetter = new Map<string, IndexedWord[]>()
  for (const [id, text] of words.entries()) {
    const word = { id, spelling: toSpelling(text), isKnown: isKnownWord(text) }
    const others = byLetter.get(text[0]!)
    for (const other of others ?? []) {
      if (!isSimilar(word, other)) continue
      similarIds[id]!.push(other.id)
      similarIds[other.id]!.push(id)
    }
    if (others) others.push(word)
    else byLetter.set(text[0]!, [word])
  }
  return similarIds
}

function isSimilar(a: IndexedWord, b: IndexedWord): boolean {
  if (getSpellingSimilarity(a.spelling, b.spelling, MIN_WORD_SIMILARITY) > 0) return true
  const [short, long] = a.spelling.text.length < b.spelling.text.length ? [a, b] : [b, a]
  return !short.isKnown && isAbbreviation(short.spelling.text, long.spelling.text)
}
