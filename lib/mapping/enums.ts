/** Suggests how the values of a source column translate to enum options or booleans. Pure. */
import type { EnumDetails, EnumValue } from '../../schemas/programs/plan.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { findCountryCode } from './countries.ts'
import { compact, getSpellingSimilarity, type Spelling, toSpelling } from './tokenize.ts'

const SAME_VALUES: readonly (readonly string[])[] = [
  ['true', 'yes', 'y', 't', '1', 'on', 'x', 'ja', 'j', 'oui', 'si', 'sim', 'wahr', 'vrai', 'active', 'enabled'],
  ['false', 'no', 'n', 'f', '0', 'off', 'nein', 'non', 'nao', 'nee', 'falsch', 'faux', 'inactive', 'disabled'],
  ['male', 'm', 'man', 'mr', 'herr', 'mannlich', 'homme', 'hombre', 'uomo'],
  ['female', 'f', 'w', 'woman', 'mrs', 'ms', 'frau', 'weiblich', 'femme', 'mujer', 'donna'],
  ['diverse', 'd', 'other', 'divers', 'nonbinary', 'x'],
  ['unknown', 'na', 'none', 'notavailable', 'unbekannt', 'inconnu'],
  ['low', 'niedrig', 'bas', 'bajo'],
  ['medium', 'mid', 'mittel', 'moyen', 'medio', 'normal'],
  ['high', 'hoch', 'haut', 'alto'],
  ['open', 'new', 'offen', 'neu'],
  ['closed', 'done', 'complete', 'completed', 'finished', 'geschlossen', 'erledigt'],
  ['cancelled', 'canceled', 'storniert', 'annule', 'cancelado'],
]

const MIN_TYPO_SIMILARITY = 0.75

interface Option {
  value: EnumValue
  names: string[]
  spellings: Spelling[]
}

export function getOptions(field: Field): Option[] | undefined {
  if (field.type === 'boolean') return [true, false].map((value) => createOption(value, [String(value)]))
  if (field.type !== 'enum' && field.type !== 'enum-list') return undefined
  return field.config.options.flatMap(({ value, label, alternativeNames }) => {
    if (value === null || value === undefined) return []
    const names = [value, label, ...(alternativeNames ?? [])].filter((name) => name !== null && name !== undefined)
    return [createOption(value, [...new Set(names.map((name) => compact(String(name))))])]
  })
}

const createOption = (value: EnumValue, names: string[]): Option => ({ value, names, spellings: names.map(toSpelling) })

/** Several values may map to the same option. Undefined when the destination is neither enum nor boolean. */
export function suggestValues(
  values: readonly EnumValue[],
  destination: Field,
  lookup: (value: EnumValue) => EnumValue | undefined = () => undefined,
): EnumDetails | undefined {
  const options = getOptions(destination)
  if (!options) return undefined
  const findByValue = (value: EnumValue | undefined) => options.find((option) => option.value === value)
  const pairs = values.map((value) => ({
    sourceValue: value,
    destinationValue: (findByValue(lookup(value)) ?? matchOption(value, options))?.value,
  }))
  const used = new Set(pairs.map(({ destinationValue }) => destinationValue))
  return {
    mapping: pairs.filter(({ destinationValue }) => destinationValue !== undefined),
    unusedSourceValues: pairs
      .filter(({ destinationValue }) => destinationValue === undefined)
      .map(({ sourceValue }) => sourceValue),
    unusedDestinationValues: options.map(({ value }) => value).filter((value) => !used.has(value)),
  }
}

function matchOption(value: EnumValue, options: readonly Option[]): Option | undefined {
  const text = String(value)
  const name = compact(text)
  return (
    options.find((option) => option.value === value) ??
    options.find(({ value: candidate }) => String(candidate) === text) ??
    options.find(({ names }) => name !== '' && names.includes(name)) ??
    singleOrUndefined(options.filter(({ names }) => names.some((candidate) => isSynonym(candidate, name)))) ??
    findBySpelling(name, options) ??
    findByPrefix(name, options)
  )
}

const singleOrUndefined = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined)

function isSynonym(a: string, b: string): boolean {
  if (SAME_VALUES.some((values) => values.includes(a) && values.includes(b))) return true
  const country = findCountryCode(a)
  return country !== undefined && country === findCountryCode(b)
}

function findBySpelling(name: string, options: readonly Option[]): Option | undefined {
  const spelling = toSpelling(name)
  const scored = options.map((option) => ({
    option,
    score: Math.max(
      0,
      ...option.spellings.map((candidate) => getSpellingSimilarity(candidate, spelling, MIN_TYPO_SIMILARITY)),
    ),
  }))
  const [first, second] = scored.sort((a, b) => b.score - a.score)
  return first && first.score > 0 && first.score > (second?.score ?? 0) ? first.option : undefined
}

const findByPrefix = (name: string, options: readonly Option[]): Option | undefined =>
  name === ''
    ? undefined
    : singleOrUndefined(
        options.filter(({ names }) =>
          names.some(
            (candidate) =>
              candidate !== '' && (candidate.startsWith(name) || (candidate.length >= 3 && name.startsWith(candidate))),
          ),
        ),
      )
