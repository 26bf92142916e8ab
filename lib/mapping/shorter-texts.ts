/**
 * Lists what a text with additions can mean without them: `via email`, `Good condition`, `Returned to sender`. A noun
 * keeps the words that describe it: coconut milk is something else than milk. Pure.
 */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import additionWords from './addition-words.json' with { type: 'json' }
import { isListed, isNoun } from './lexicon/lexicon.ts'
import type { Option } from './option-words.ts'
import { listSameValues } from './same-values.ts'
import { compact, splitWords, toSingular } from './tokenize.ts'
import { findEntry } from './vocabulary.ts'

interface ShorterText {
  text: string
  isNoun: boolean
}

type FindOption = (text: string) => Option | undefined

/** A text that can mean several options shortened, or has a word of another option, stays open. */
export function readShorter(
  texts: readonly string[],
  field: Field,
  options: readonly Option[],
  find: FindOption,
): Map<string, EnumValue> {
  const light = new Set([...listFieldWords(field), ...listSharedWords(options)])
  const areSized = options.some(({ names }) => names.some((name) => /\d/.test(name.text)))
  const findWhole = (text: string): Option | undefined =>
    findJoined(text, find) ?? findInParentheses(text, find) ?? (areSized ? undefined : findWithoutSize(text, find))
  return new Map(
    texts.flatMap((text) => {
      const whole = findWhole(text)
      if (whole) return [[text, whole.value] as const]
      const shorter = listSameValues(compact(text)).length > 0 ? [] : listShorterTexts(text, light)
      const meant = shorter.flatMap((one) => {
        const option = find(one.text)
        return option && (!one.isNoun || isNounOption(option)) ? [option] : []
      })
      const [option, ...others] = new Set([...meant, ...(meant.length > 0 ? listWordOptions(text, find) : [])])
      return option === undefined || others.length > 0 ? [] : [[text, option.value] as const]
    }),
  )
}

const JOINED = /\s*[/&+]\s*|\s+(?:and|und|et|y|e|en|i)\s+/i

function findJoined(text: string, find: FindOption): Option | undefined {
  const parts = text.split(JOINED)
  const [option, ...others] = new Set(parts.length > 1 ? parts.map(find) : [])
  return others.length === 0 ? option : undefined
}

/** Sizes of bottles and kegs, such as `20x0,5`, `30 l` and `12er`. */
const SIZE =
  /(?<![\p{L}\d.,])(?:\d+er|\d+(?:\s?x\s?\d+)?[.,]\d+(?:\s?[clm]?l)?|\d+\s?x\s?\d+|\d+\s?(?:[cm]?l|ltr|k?g|[cm]?m))(?![\p{L}\d.,])/giu

function findWithoutSize(text: string, find: FindOption): Option | undefined {
  const word = text.replace(SIZE, ' ').trim()
  return word === text.trim() || !SINGLE_WORD.test(word) ? undefined : find(word)
}

const SINGLE_WORD = /^\p{L}{2,}\.?$/u

const IN_PARENTHESES = /^([^()]*\p{L}{3}[^()]*)\(([^()?]*\p{L}{3}[^()?]*)\)\s*$/u

/** `Student (reduced)` is reduced if the words before name no option and no outcome. */
function findInParentheses(text: string, find: FindOption): Option | undefined {
  const [, before = '', inside = ''] = IN_PARENTHESES.exec(text) ?? []
  return before === '' || find(before.trim()) || splitWords(before).some(changesMeaning) ? undefined : find(inside)
}

const changesMeaning = (word: string): boolean => isTurning(word) || isOutcome(word) || REVERSALS.has(word)

/** As a key it is English; the German `Kind` is a child. */
const ENGLISH_KIND = 'kind'

export const listFieldWords = ({ key, label }: Field): ReadonlySet<string> =>
  new Set([key === ENGLISH_KIND ? '' : key, label ?? ''].flatMap(splitWords).map(toSingular))

export const withoutLight = (text: string, light: ReadonlySet<string>): string[] =>
  splitWords(text).filter((word) => !isLight(word, light))

function listSharedWords(options: readonly Option[]): string[] {
  const words = options.flatMap((option) => [...new Set(listSingularWords(option))])
  return words.filter((word, at) => words.indexOf(word) !== at)
}

const listWordOptions = (text: string, find: FindOption): Option[] =>
  text.split(/[^\p{L}]+/u).flatMap((word) => (word.length >= MIN_LETTERS ? (find(word) ?? []) : []))

const isNounOption = ({ names }: Option): boolean =>
  names.some(({ isPart, words }) => !isPart && (isNoun(words.join(' ')) || isNoun(words.at(-1) ?? '')))

export const listSingularWords = ({ names }: Option): string[] => names.flatMap(({ words }) => words.map(toSingular))

const MIN_LETTERS = 3

const QUALIFIERS: ReadonlySet<string> = new Set(Object.values(additionWords.qualifiers).flat())
/** `Approved with changes` is another matter than `with card`. */
const WITH: ReadonlySet<string> = new Set(additionWords.with)
const REVERSALS: ReadonlySet<string> = new Set(additionWords.reversals)
const VIA: ReadonlySet<string> = new Set(additionWords.via)
const LINKS: ReadonlySet<string> = new Set(additionWords.links)
const AGENTS: ReadonlySet<string> = new Set(additionWords.agents)
const LIGHT: ReadonlySet<string> = new Set(additionWords.light)

const MAX_WORDS = 6
const UNSURE = /[?/+&]/
const SEPARATOR = /\s+[-–—|]\s+|\s*[–—|;:]\s*|,\s+/u

function listShorterTexts(text: string, fieldWords: ReadonlySet<string>): ShorterText[] {
  const words = text.split(/[^\p{L}\p{N}.&'’-]+/u).filter((word) => compact(word) !== '')
  if (words.length === 0 || words.length > MAX_WORDS || UNSURE.test(text)) return []
  const segments = text.split(SEPARATOR).filter((segment) => compact(segment) !== '')
  if (segments.length > 1) return listSegments(segments)
  if (words.length === 1 || /\d/.test(text) || isDue(words) || words.some(isTurning) || words.slice(1).some(isWith))
    return []
  const isLightWord = (word: string): boolean => isLight(word, fieldWords)
  const heavy = words.filter((word) => !isLightWord(word) && (words.length === 2 || !isLink(word)))
  const bases = heavy.length > 0 && heavy.length < words.length ? [words, heavy] : [words]
  return [...(bases.length > 1 ? [toText(heavy)] : []), ...bases.flatMap(listAroundLinks)].filter(
    (one) => one.text !== text && areHarmless(words, one) && !one.text.split(' ').every(isLightWord),
  )
}

function listSegments([first = '', ...others]: readonly string[]): ShorterText[] {
  const isReversed = others.some((text) => splitWords(text).some((word) => REVERSALS.has(word)))
  const segments = splitWords(first).some((word) => QUALIFIERS.has(word)) || isReversed ? [] : [first, ...others]
  return segments.map((text) => ({ text, isNoun: false }))
}

/** An outcome that is left out makes a difference: `Proposal rejected`. */
function areHarmless(words: readonly string[], { text }: ShorterText): boolean {
  const left = new Set(text.split(' '))
  return words.every((word) => left.has(word) || !isOutcome(compact(word)))
}

const OUTCOMES = [
  'absent approved blocked broken cancelled closed completed confirmed deleted draft expired failed false inactive',
  'lost noshow notstarted onhold overdue passed planned postponed refunded rejected resolved',
  'returned stopped suspended terminated unpaid waitlisted withdrawn won writtenoff',
].flatMap((line) => line.split(' '))
const outcomeWords = new Set(OUTCOMES.flatMap((name) => [name, ...listSameValues(name)]))
const isOutcome = (word: string): boolean => outcomeWords.has(word)

const isTurning = (word: string): boolean => QUALIFIERS.has(compact(word)) || /n['’]t$/i.test(word)

const DUE: ReadonlySet<string> = new Set(additionWords.due)
const INFINITIVE = /(?:[aei]r|re|en)$/

/** `À expédier` and `da consegnare` have not happened, but `por correo` is a way. */
const isDue = ([first = '', second = '']: readonly string[]): boolean =>
  DUE.has(compact(first)) && INFINITIVE.test(compact(second)) && !(isListed(compact(second)) && isNounWord(second))

const isWith = (word: string): boolean => WITH.has(compact(word))

const isLight = (word: string, fieldWords: ReadonlySet<string>): boolean => {
  const letters = compact(word)
  return LIGHT.has(letters) || fieldWords.has(toSingular(letters)) || meansOneOf(letters, fieldWords)
}

const meansOneOf = (word: string, others: ReadonlySet<string>): boolean => {
  const concepts = findEntry(word)?.concepts ?? []
  return [...others].some((other) => findEntry(other)?.concepts.some((concept) => concepts.includes(concept)))
}

const toText = (words: readonly string[]): ShorterText => ({ text: words.join(' '), isNoun: words.every(isNounWord) })

const isNounWord = (word: string): boolean => isNoun(compact(word))

function listAroundLinks(words: readonly string[]): ShorterText[] {
  const at = words.findIndex((word, index) => index > 0 && LINKS.has(compact(word)))
  const last = words.at(-1)!
  const isAgent = at > 0 && AGENTS.has(compact(words[at]!)) && isNounWord(last)
  return [
    ...(words.length > 1 && VIA.has(compact(words[0]!)) ? [toText(words.slice(1))] : []),
    ...(at > 0 && at < words.length - 1 && !words.slice(0, at).every(isNounWord) ? [toText(words.slice(0, at))] : []),
    ...(isAgent ? [toText([last])] : []),
  ]
}

const isLink = (word: string): boolean => LINKS.has(compact(word)) || VIA.has(compact(word)) || compact(word).length < 2
