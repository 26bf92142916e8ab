/** The words of many names, compared with each other once, so that comparing two names only looks them up. Pure. */
import { isAbbreviation } from './abbreviations.ts'
import type { Name, Word } from './names.ts'
import { getSpellingSimilarity, type Spelling, toSpelling } from './tokenize.ts'

export interface WordIndex {
  getSharedWordRatio(a: Name, b: Name): number
  /** The share of the words of `part`, by weight, that `whole` has. */
  getCoverage(whole: Name, part: Name): number
  hasWord(whole: Name, part: Name, at: number): boolean
}

const MIN_WORD_SIMILARITY = 0.8
const RESEMBLING_WORD_FACTOR = 0.9
const SYNONYM_FACTOR = 0.7

export function createWordIndex(names: readonly Name[]): WordIndex {
  const ids = new Map<string, number>()
  const words: Word[] = []
  const idsByName = new Map<Name, Int32Array>()
  for (const name of new Set(names))
    idsByName.set(
      name,
      Int32Array.from(name.words, (word) => {
        const key = [word.text, word.written, word.part, ...word.others].join(' ')
        const id = ids.get(key) ?? words.length
        if (id === words.length) words.push(word)
        ids.set(key, id)
        return id
      }),
    )
  const { similarIds, synonymIds } = findSimilarWords(words)
  const positions = new Int32Array(words.length)

  return {
    hasWord(whole, part, at) {
      const id = idsByName.get(part)![at]!
      return idsByName.get(whole)!.some((other) => similarIds[id]!.includes(other) || synonymIds[id]!.includes(other))
    },
    getCoverage(whole, part) {
      const ids = new Set(idsByName.get(whole)!)
      const isCovered = (id: number) => [similarIds[id]!, synonymIds[id]!].some((own) => own.some((id) => ids.has(id)))
      const covered = part.words.filter((_, at) => isCovered(idsByName.get(part)![at]!))
      return covered.reduce((sum, { weight }) => sum + weight, 0) / Math.max(part.weight, 1)
    },
    getSharedWordRatio(a, b) {
      const totalWeight = a.weight + b.weight
      if (totalWeight === 0) return 0
      const [ownIds, otherIds] = [idsByName.get(a)!, idsByName.get(b)!]
      for (let at = 0; at < otherIds.length; at++) positions[otherIds[at]!]! |= 1 << at
      let free = -1
      let shared = 0
      for (const isSynonym of [false, true])
        for (let at = 0; at < ownIds.length; at++) {
          const id = ownIds[at]!
          if (isSynonym && findFirst(similarIds[id]!, positions, -1) !== 0) continue
          const found = findFirst((isSynonym ? synonymIds : similarIds)[id]!, positions, free)
          if (found === 0) continue
          const [own, other] = [a.words[at]!, b.words[31 - Math.clz32(found)]!]
          const factor = isSynonym ? SYNONYM_FACTOR : own.text === other.text ? 1 : RESEMBLING_WORD_FACTOR
          shared += (own.weight + other.weight) * factor
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
  /** A short word that is known is not the beginning of another. */
  isWhole: boolean
  spelling: Spelling
}

interface LinkedWords {
  /** The ids of the word itself, of words with a concept in common, and of similar ones with the same first letter. */
  similarIds: number[][]
  /** The ids of words with a sense in common: a dictionary lists more senses of a word than a header can have. */
  synonymIds: number[][]
}

function findSimilarWords(words: readonly Word[]): LinkedWords {
  const [similar, synonyms] = [createLinks(words), createLinks(words)]
  const byConcept = new Map<string, number[]>()
  const bySense = new Map<string, number[]>()
  const byLetter = new Map<string, IndexedWord[]>()
  for (const [id, { text, written, others, isKnown, senses, part }] of words.entries()) {
    for (const [other, word] of words.entries()) if (word.isCut && isCutOf(word, part)) similar.link(id, other)
    similar.link(id, id)
    for (const concept of [text, ...others]) for (const other of addTo(byConcept, concept, id)) similar.link(id, other)
    for (const sense of senses)
      for (const other of addTo(bySense, sense, id)) if (!(isKnown && words[other]!.isKnown)) synonyms.link(id, other)
    const word = { id, isWhole: isKnown && written.length <= MAX_WHOLE_LETTERS, spelling: toSpelling(written) }
    for (const other of addTo(byLetter, written[0]!, word)) if (isSimilar(word, other)) similar.link(id, other.id)
  }
  return { similarIds: similar.list(), synonymIds: synonyms.list() }
}

function createLinks(words: readonly Word[]) {
  const linkedIds = words.map(() => new Set<number>())
  return {
    link(id: number, other: number): void {
      linkedIds[id]!.add(other)
      linkedIds[other]!.add(id)
    },
    list: (): number[][] => linkedIds.map((ids) => [...ids]),
  }
}

function addTo<T>(groups: Map<string, T[]>, key: string, item: T): readonly T[] {
  const group = groups.get(key) ?? []
  groups.set(key, [...group, item])
  return group
}

/** `Pos.` is the beginning of `Posizione`, and `Jg.` short for `Jahrgang`, whose English words are others. */
const isCutOf = ({ part: cut, isKnown }: Word, word: string): boolean =>
  (cut.length >= MIN_CUT_LETTERS && cut.length < word.length && word.startsWith(cut)) ||
  (!isKnown && isAbbreviation(cut, word))

const MIN_CUT_LETTERS = 3
const MAX_WHOLE_LETTERS = 4

function isSimilar(a: IndexedWord, b: IndexedWord): boolean {
  if (getSpellingSimilarity(a.spelling, b.spelling, MIN_WORD_SIMILARITY) > 0) return true
  const [short, long] = a.spelling.text.length < b.spelling.text.length ? [a, b] : [b, a]
  const [cut, whole] = [short.spelling.text, long.spelling.text]
  const isBeginning = cut.length === MIN_CUT_LETTERS && whole.startsWith(cut)
  return (!short.isWhole || isBeginning) && isAbbreviation(cut, whole)
}
