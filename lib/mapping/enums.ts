/** Suggests how the values of a source column translate to the options of an enum field, or to true and false. Pure. */
import type { Field } from '../../schemas/fields.ts'
import type { EnumDetails, EnumValue } from '../../schemas/mapping.ts'
import { countryCodeOf } from './countries.ts'
import { compact, type Spelling, spelledAlike, spellingOf } from './words.ts'

/** Values that mean the same in many files. */
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

/** How alike two spellings must be to count as one value mistyped. */
const TYPO = 0.75

interface Option {
  value: EnumValue
  names: string[]
  spellings: Spelling[]
}

/** The values a field can be translated to: an enum's options, or true and false; undefined for other fields. */
export function optionsOf(field: Field): Option[] | undefined {
  if (field.type === 'boolean') return [true, false].map((value) => optionNamed(value, [String(value)]))
  if (field.type !== 'enum' && field.type !== 'enum-list') return undefined
  return field.config.options.flatMap(({ value, label, alternativeNames }) => {
    if (value === null || value === undefined) return []
    const names = [value, label, ...(alternativeNames ?? [])].filter((name) => name !== null && name !== undefined)
    return [optionNamed(value, [...new Set(names.map((name) => compact(String(name))))])]
  })
}

const optionNamed = (value: EnumValue, names: string[]): Option => ({ value, names, spellings: names.map(spellingOf) })

/**
 * A translation for each distinct value of the source; several values may become one option.
 * @param recalled what a value became when it was accepted before
 * @returns undefined when the destination is neither an enum nor a boolean field.
 */
export function suggestValues(
  values: readonly EnumValue[],
  destination: Field,
  recalled: (value: EnumValue) => EnumValue | undefined = () => undefined,
): EnumDetails | undefined {
  const options = optionsOf(destination)
  if (!options) return undefined
  const known = (value: EnumValue | undefined) => options.find((option) => option.value === value)
  const pairs = values.map((value) => ({
    sourceValue: value,
    destinationValue: (known(recalled(value)) ?? optionFor(value, options))?.value,
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

function optionFor(value: EnumValue, options: readonly Option[]): Option | undefined {
  const text = String(value)
  const name = compact(text)
  return (
    options.find((option) => option.value === value) ??
    options.find(({ value: own }) => String(own) === text) ??
    options.find(({ names }) => name !== '' && names.includes(name)) ??
    only(options.filter(({ names }) => names.some((own) => meanTheSame(own, name)))) ??
    bySpelling(name, options) ??
    byStart(name, options)
  )
}

const only = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined)

function meanTheSame(a: string, b: string): boolean {
  if (SAME_VALUES.some((values) => values.includes(a) && values.includes(b))) return true
  const country = countryCodeOf(a)
  return country !== undefined && country === countryCodeOf(b)
}

function bySpelling(name: string, options: readonly Option[]): Option | undefined {
  const spelling = spellingOf(name)
  const scored = options.map((option) => ({
    option,
    score: Math.max(0, ...option.spellings.map((own) => spelledAlike(own, spelling, TYPO))),
  }))
  const [first, second] = scored.sort((a, b) => b.score - a.score)
  return first && first.score > 0 && first.score > (second?.score ?? 0) ? first.option : undefined
}

/** An abbreviation: the value begins exactly one option, or exactly one option begins it. */
const byStart = (name: string, options: readonly Option[]): Option | undefined =>
  name === ''
    ? undefined
    : only(
        options.filter(({ names }) =>
          names.some((own) => own !== '' && (own.startsWith(name) || (own.length >= 3 && name.startsWith(own)))),
        ),
      )
