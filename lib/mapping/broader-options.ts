/** Finds options that are broader than a text, by the nouns of the lexicon: a taxi is a kind of transport. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { memoize } from '../core/memo.ts'
import { listNouns, type Noun } from './lexicon/lexicon.ts'
import type { Option, OptionName } from './option-words.ts'
import { splitWords, toSingular } from './tokenize.ts'

const MAX_OPTIONS = 300
const MAX_TEXTS = 1000

/** These are shares of meanings, by how often each is met: `Turkey` is seldom a bird. */
const MIN_OWN_SHARE = 2 / 3
const MAX_OTHER_SHARE = 0.1
const MIN_KIND_SHARE = 0.3
/** Enough if most options are kinds: `Fruit` is also a product of labour, but not next to meat and vegetables. */
const MIN_KIND_SHARE_AMONG_KINDS = 0.015
const MIN_KINDS = 2
const MIN_KINDS_IF_RARE = 3

interface Kind {
  value: EnumValue
  senses: ReadonlyMap<string, Noun>
  /** Meanings of single words of its name: fencing can be a `Winter sport`, which the lexicon does not have. */
  wordSenses: ReadonlyMap<string, Noun>
}

interface Fit {
  kind: Kind
  own: number
  all: number
  senses: Set<string>
}

export function readBroader(texts: readonly string[], options: readonly Option[]): Map<string, EnumValue> {
  if (texts.length === 0 || texts.length > MAX_TEXTS || options.length > MAX_OPTIONS) return new Map()
  const kinds = listKinds(options)
  const named = kinds.filter(({ senses }) => getShare(senses, isKind) >= MIN_KIND_SHARE_AMONG_KINDS).length
  if (named < MIN_KINDS) return new Map()
  const minShare = named >= MIN_KINDS_IF_RARE && named * 2 >= kinds.length ? MIN_KIND_SHARE_AMONG_KINDS : MIN_KIND_SHARE
  return new Map(
    texts.flatMap((text) => {
      const words = /^[\p{L}\s'’-]+$/u.test(text) ? splitWords(text) : []
      const found = hasWordOf(kinds, words) ? undefined : findBroader(listNouns(words.join(' ')), kinds, minShare)
      return found ? [[text, found.value] as const] : []
    }),
  )
}

/** The rules for words have found that milk powder is something else than milk. */
const hasWordOf = (kinds: readonly Kind[], words: readonly string[]): boolean =>
  words.length > 1 &&
  words
    .flatMap(listNouns)
    .some(({ sense }) => kinds.some((kind) => kind.senses.has(sense) || kind.wordSenses.has(sense)))

const isKind = ({ sense, kinds }: Noun): boolean => kinds.has(sense)

/** Salmon does not mean the label `Sea bass` of the value `fish`. */
function listLabels({ names }: Option): OptionName[] {
  const [value, ...labels] = names.filter(({ isPart }) => !isPart).map(toSingularText)
  const isValue = (name: OptionName): boolean => toSingularText(name) === value && !labels.includes(value)
  return labels.length > 0 ? names.filter((name) => !isValue(name)) : [...names]
}

const toSingularText = ({ words }: OptionName): string => words.map(toSingular).join(' ')

function toKind(option: Option): Kind {
  const [{ value }, names] = [option, listLabels(option)]
  const toMap = (nouns: readonly Noun[]) => new Map(nouns.map((noun) => [noun.sense, noun]))
  return {
    value,
    senses: toMap(names.flatMap(({ words }) => listNouns(words.join(' ')))),
    wordSenses: toMap(names.flatMap(({ words }) => (words.length > 1 ? words.flatMap(listNouns) : []))),
  }
}

const listKinds = memoize((options: readonly Option[]) => options.map(toKind))

const sum = (nouns: Iterable<Noun>): number => [...nouns].reduce((total, { count }) => total + count, 0)

const getShare = (senses: ReadonlyMap<string, Noun>, isMeant: (noun: Noun) => boolean): number =>
  sum([...senses.values()].filter(isMeant)) / Math.max(1, sum(senses.values()))

function findBroader(nouns: readonly Noun[], kinds: readonly Kind[], minShare: number): Kind | undefined {
  const fits = kinds.map((kind): Fit => ({ kind, own: 0, all: 0, senses: new Set() }))
  for (const noun of nouns) addFits(noun, fits)
  const total = sum(nouns)
  const [fit, ...others] = fits.toSorted((a, b) => b.own - a.own)
  const isClear = fit && fit.own >= total * MIN_OWN_SHARE && others.every(({ all }) => all <= total * MAX_OTHER_SHARE)
  const isMeant = isClear && getShare(fit.kind.senses, ({ sense }) => fit.senses.has(sense)) >= minShare
  return isMeant ? fit.kind : undefined
}

function addFits(noun: Noun, fits: readonly Fit[]): void {
  const isFit = ({ sense }: Noun): boolean => sense === noun.sense || noun.kinds.has(sense)
  const found = fits.map(({ kind }) => [...kind.senses.values(), ...kind.wordSenses.values()].filter(isFit))
  const all = found.flat()
  for (const [at, senses] of found.entries()) {
    const nearest = senses.filter(({ sense }) => !all.some((other) => other.sense !== sense && other.kinds.has(sense)))
    const broader = nearest.filter(({ sense }) => sense !== noun.sense && fits[at]!.kind.senses.has(sense))
    if (nearest.length > 0) fits[at]!.all += noun.count
    if (broader.length > 0) fits[at]!.own += noun.count
    for (const { sense } of broader) fits[at]!.senses.add(sense)
  }
}
