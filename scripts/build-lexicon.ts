/**
 * `npm run build-lexicon -- FOLDER`: writes the word lists of lib/mapping/lexicon from wordnets and dictionaries in FOLDER,
 * which are not part of the repository. The README of the lexicon says where they come from.
 *
 * Each line is a word or phrase, a tab, and the numbers (base 36) of its meanings. Those of `kinds.br` start with a meaning
 * instead, and have the number of times it is met and the meanings that are broader.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { splitWords } from '../lib/mapping/tokenize.ts'
import { listKinds } from './lexicon/kinds.ts'
import { listParticiples } from './lexicon/participles.ts'
import { MIN_LANGUAGES, readVerbs, readWiktionary } from './lexicon/wiktionary.ts'

/** Verbs and adverbs seldom name a column or an option, and have many meanings. */
const PARTS_OF_SPEECH = { noun: 'n', adj: 'a' } as const
const MAX_WORDS = 3
const MIN_LETTERS = 3

/** Licences do not allow to mix it with the others. */
const FRENCH = 'fra.tab'

/** Entries of the wordnets that are wrong: a children's bicycle is not a tricycle. */
const WRONG = new Set(['04482393-n kinderfiets'])

interface Meaning {
  languages: Set<string>
  words: Set<string>
  frenchWords: Set<string>
}

/** A name of a person or place, not a meaning. */
const INSTANCE = '@i'

const NOUN = '-n'

function readEnglish(folder: string): Map<string, Meaning> {
  const meanings = new Map<string, Meaning>()
  for (const [name, letter] of Object.entries(PARTS_OF_SPEECH))
    for (const line of readFileSync(resolve(folder, `wordnet/data.${name}`), 'latin1').split('\n')) {
      if (!/^\d/.test(line)) continue
      const columns = line.split(' ')
      const count = Number.parseInt(columns[3]!, 16)
      const lemmas = Array.from({ length: count }, (_, at) => columns[4 + 2 * at]!)
      if (columns.includes(INSTANCE) || lemmas.every((lemma) => /^\p{Lu}/u.test(lemma))) continue
      const words = lemmas.map((lemma) => lemma.replace(/\(\w+\)$/, '').replaceAll('_', ' '))
      meanings.set(`${columns[0]}-${letter}`, { languages: new Set(), words: new Set(words), frenchWords: new Set() })
    }
  return meanings
}

/** `08390511-n <tab> nld:lemma <tab> word`, where `s` is an adjective, too. */
function addTranslations(path: string, meanings: ReadonlyMap<string, Meaning>): void {
  const target = path.endsWith(FRENCH) ? 'frenchWords' : 'words'
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [id = '', kind = '', word] = line.split('\t')
    const meaning = meanings.get(id.replace(/s$/, 'a'))
    if (!meaning || !word || !kind.endsWith('lemma') || WRONG.has(`${id} ${word}`)) continue
    const language = kind.slice(0, kind.indexOf(':'))
    if (language !== 'eng') meaning.languages.add(language)
    meaning[target].add(word)
  }
}

function toKey(word: string): string | undefined {
  const words = splitWords(word)
  const letters = words.join('').replace(/\d/g, '').length
  return letters < MIN_LETTERS || words.length > MAX_WORDS ? undefined : words.join(' ')
}

function writeWords(name: string, wordsByNumber: readonly ReadonlySet<string>[], first = 0): void {
  const numbersByWord = new Map<string, Set<number>>()
  for (const [at, words] of wordsByNumber.entries())
    for (const key of [...words].map(toKey))
      if (key !== undefined) numbersByWord.set(key, (numbersByWord.get(key) ?? new Set()).add(first + at))
  writeLines(
    name,
    [...numbersByWord].map(([word, numbers]) => [word, [...numbers]]),
  )
}

function writeLines(name: string, all: readonly (readonly [string, readonly number[]])[]): void {
  const lines = all.map(([key, numbers]) =>
    Buffer.from(`${key}\t${numbers.map((number) => number.toString(36)).join()}\n`),
  )
  const text = Buffer.concat(lines.sort(Buffer.compare))
  const packed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } })
  writeFileSync(new URL(`../lib/mapping/lexicon/${name}`, import.meta.url), packed)
  console.log(`${name}: ${lines.length} lines, ${text.length} bytes, ${packed.length} packed`)
}

const folder = process.argv[2]
if (!folder) throw new Error('Usage: npm run build-lexicon -- FOLDER')
const all = readEnglish(folder)
for (const name of readdirSync(folder).sort()) if (name.endsWith('.tab')) addTranslations(resolve(folder, name), all)
const keptIds = [...all].filter(([, { languages }]) => languages.size >= MIN_LANGUAGES).map(([id]) => id)
const kept = keptIds.map((id) => all.get(id)!)
writeWords(
  'words.br',
  kept.map(({ words }) => words),
)
writeWords(
  'words-french.br',
  kept.map(({ frenchWords }) => frenchWords),
)

const nouns = keptIds.filter((id) => id.endsWith(NOUN)).map((id) => id.slice(0, -NOUN.length))
writeLines(
  'kinds.br',
  listKinds(resolve(folder, 'wordnet'), nouns).map(([number, values]) => [number.toString(36), values]),
)

const translated = readWiktionary(resolve(folder, 'wiktionary'), new Set(kept.flatMap(({ words }) => [...words])))
writeWords('words-wiktionary.br', translated, kept.length)

const irregular = new Map<string, string[]>()
for (const line of readFileSync(resolve(folder, 'wordnet/verb.exc'), 'latin1').split('\n')) {
  const [form = '', verb = ''] = line.split(' ')
  if (!form.endsWith('ing')) irregular.set(verb, [...(irregular.get(verb) ?? []), form])
}
const participles = readVerbs(resolve(folder, 'wiktionary')).map(
  (verbs) => new Set(verbs.flatMap(([language, verb]) => listParticiples(language, verb, irregular))),
)
writeWords('participles.br', participles)
