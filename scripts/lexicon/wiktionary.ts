/** Reads bilingual dictionaries that were made from the English Wiktionary: `word {n} (sense) :: translations`. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

interface Entry {
  word: string
  kind: string
  sense: string
  translations: string[]
}

interface Sense {
  word: string
  languages: Set<string>
  words: Set<string>
}

const ENTRY = /^(.+?) \{([^}]*)\} ?(?:\/[^/]*\/ ?)?(.*?) ?::(.*)$/

const MARKUP_END = '.dsl'

function readLines(path: string): string[] {
  if (!path.endsWith(MARKUP_END)) return readFileSync(path, 'utf8').split('\n')
  const text = readFileSync(path, 'utf16le')
    .replace(/\r/g, '')
    .replace(/\[p\]<([^>]*)>\[\/p\]/g, '{$1}')
    .replace(/\n\t\[m\d\]/g, ' :: ')
    .replace(/\n\t\[b\]\[c darkblue\]~\[\/c\]\[\/b\]/g, '')
    .replace(/\[\/?[a-z]\d?(?: \w+)?\]/g, '')
    .replace(/ +/g, ' ')
  return text.split('\n')
}

const readEntries = (path: string): Entry[] =>
  readLines(path).flatMap((line) => {
    const [, word, kind, sense, translations] = ENTRY.exec(line) ?? []
    if (word === undefined) return []
    return [{ word, kind: kind!, sense: sense!, translations: splitTranslations(translations!) }]
  })

const splitTranslations = (text: string): string[] =>
  text
    .replace(/\{[^}]*\}|\[[^\]]*\]|\([^()]*\)/g, '')
    .split(/[,;]/)
    .map((part) => part.replace(/^\s*(?:to|the|an?) (?=\p{L})/u, '').trim())
    .filter((part) => part !== '' && !part.endsWith('-') && !/[:()=]/.test(part))

const ENGLISH_KINDS = new Set(['n', 'adj', 'adv', 'phrase', 'prep'])
const isName = (word: string): boolean => /^\p{Lu}/u.test(word)
const REFERENCE = /SEE: (.+?) *$/

function readTranslations(paths: ReadonlyMap<string, string>): Sense[] {
  const senses = new Map<string, Sense>()
  const synonyms = new Map<string, Set<string>>()
  for (const [language, path] of paths)
    for (const { word, kind, sense, translations } of readEntries(path)) {
      if (!ENGLISH_KINDS.has(kind) || isName(word)) continue
      const other = REFERENCE.exec(sense)?.[1]?.replace(/^<<|>>$/g, '')
      if (other !== undefined) {
        const key = [other, kind].join('\t')
        synonyms.set(key, (synonyms.get(key) ?? new Set()).add(word))
        continue
      }
      const key = [word, kind, sense].join('\t')
      const known = senses.get(key) ?? { word, languages: new Set(), words: new Set([word]) }
      if (translations.length > 0) known.languages.add(language)
      for (const translation of translations) known.words.add(translation)
      senses.set(key, known)
    }
  for (const [key, { words }] of senses)
    for (const word of synonyms.get(key.slice(0, key.lastIndexOf('\t'))) ?? []) words.add(word)
  return [...senses.values()]
}

const OTHER_KINDS = /^(?:m|f|n|mf|adj|adv|phrase|mp|fp)$/
/** A meaning that few languages have a word for is seldom met in a file. */
export const MIN_LANGUAGES = 3

export function readWiktionary(folder: string, english: ReadonlySet<string>): ReadonlySet<string>[] {
  const names = readdirSync(folder).sort()
  const isFromEnglish = (name: string): boolean => name.startsWith('en-')
  const all = readTranslations(
    new Map(names.filter(isFromEnglish).map((name) => [name.slice(3, 5), resolve(folder, name)])),
  )
  const known = new Set([...english, ...all.map(({ word }) => word)])
  const senses = all.filter(({ languages }) => languages.size >= MIN_LANGUAGES).map(({ words }) => words)
  const haveShared = createComparer(senses)
  const back = names
    .filter((name) => !isFromEnglish(name))
    .flatMap((name) => readEntries(resolve(folder, name)))
    .filter(({ word, kind }) => OTHER_KINDS.test(kind) && !isName(word))
    .map(({ word, translations }) => [
      word,
      ...translations.filter((one) => one !== word && known.has(one) && !haveShared(word, one)),
    ])
  return [...senses, ...back.filter((words) => words.length > 1).map((words) => new Set(words))]
}

function createComparer(senses: readonly ReadonlySet<string>[]): (a: string, b: string) => boolean {
  const byWord = new Map<string, Set<number>>()
  for (const [at, words] of senses.entries())
    for (const word of words) byWord.set(word, (byWord.get(word) ?? new Set()).add(at))
  return (a, b) => [...(byWord.get(a) ?? [])].some((at) => byWord.get(b)?.has(at))
}

type Verb = readonly [language: string, verb: string]

const VERB = /^v/
const MAX_TRANSLATIONS = 3

/** Verbs that mean the same; only those that both dictionaries of two languages agree on, if there are both. */
export function readVerbs(folder: string): Verb[][] {
  const names = readdirSync(folder).sort()
  const readAll = (isMeant: (name: string) => boolean) =>
    names.filter(isMeant).flatMap((name) =>
      readEntries(resolve(folder, name))
        .filter(({ kind, translations }) => VERB.test(kind) && translations.length > 0)
        .map((entry) => ({ ...entry, from: name.slice(0, 2), to: name.slice(3, 5) })),
    )
  const english = new Map<string, Set<string>>()
  for (const { from, word, translations } of readAll((name) => !name.startsWith('en-')))
    english.set(`${from} ${word}`, new Set([...(english.get(`${from} ${word}`) ?? []), ...translations]))
  const senses = new Map<string, Verb[]>()
  for (const { to, word, sense, translations } of readAll((name) => name.startsWith('en-'))) {
    const agreed = translations.filter((verb) => english.get(`${to} ${verb}`)?.has(word) ?? true)
    const key = [word, sense].join('\t')
    senses.set(key, [...(senses.get(key) ?? [['en', word]]), ...agreed.map((verb): Verb => [to, verb])])
  }
  const others = [...english].filter(([, translations]) => translations.size <= MAX_TRANSLATIONS)
  const pairs = others.flatMap(([key, translations]) =>
    [...translations].map((word): Verb[] => [
      [key.slice(0, 2), key.slice(3)],
      ['en', word],
    ]),
  )
  return [...senses.values(), ...pairs].filter((verbs) => verbs.length > 1)
}
