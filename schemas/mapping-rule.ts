/**
 * The language of mapping rules: what each type of rule is told in its `config`. The types and members are the public ones
 * of this field's rule language; `split`, `value-map`, `date` and `number` are further ones. Rules are applied in order, and
 * see what earlier ones made as `destination!<field key>`. Of the public types two are refused by name: `nest` makes lists of
 * records inside of a cell, which no field type holds, and `ast` is a tree of code whose language is published nowhere.
 */
import * as z from 'zod'
import { FieldKey } from './fields.ts'
import { free, Id, Time } from './ids.ts'
import { EnumValue } from './mapping.ts'
import { maybe } from './optional.ts'

/** A program has at most this many rules, those of subprograms counted. */
export const RULES_PER_PROGRAM = 1000
/** Rules stand in at most this many subprograms, one in another. */
export const RULE_DEPTH = 3
/** A separator, template, equation, pattern, format or text to find has at most this many characters. */
export const RULE_TEXT_LENGTH = 1000
/** A rule names at most this many fields or values to replace. */
const ITEMS_A_RULE = 1000

const Text = z.string().max(RULE_TEXT_LENGTH)
const SourceField = z.string().min(1).max(600)
const SourceFields = z.array(SourceField).min(1).max(ITEMS_A_RULE)
const ruled = { destinationField: FieldKey, filter: maybe(z.string()) }
const fromOne = { sourceField: SourceField, ...ruled }
const fromSome = { sourceFields: SourceFields, ...ruled }

const Translations = z.array(z.object({ sourceValue: EnumValue, destinationValue: EnumValue })).max(ITEMS_A_RULE)
const Locale = z.string().refine((tag) => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}, 'must be a language tag, as de-DE')

export const TRANSFORMS = ['uppercase', 'lowercase', 'titlecase', 'trim', 'collapse-spaces'] as const

const plain = {
  /** The field takes the value; with `values` some values become others, with `delimiter` one cell becomes a list. */
  assign: z.object({ ...fromOne, values: maybe(Translations), delimiter: maybe(Text) }),
  /** Says that a field is left out on purpose. */
  ignore: z.object({ sourceField: SourceField, filter: maybe(z.string()) }),
  constant: z.object({ ...ruled, value: z.union([EnumValue, z.array(z.string()), z.null()]) }),
  /** Replaces every occurrence in what earlier rules made; one after the other. */
  'find-replace': z.object({
    ...ruled,
    values: z.array(z.object({ find: Text.min(1), replace: Text })).max(ITEMS_A_RULE),
  }),
  transform: z.object({ ...fromOne, transform: z.enum(TRANSFORMS) }),
  /** The pattern's groups fill the destination fields in their order; without a match they are empty. Syntax: RE2. */
  'regex-extract': z.object({
    sourceField: SourceField,
    destinationFields: z.array(FieldKey).min(1).max(50),
    regex: Text.min(1),
    filter: maybe(z.string()),
  }),
  /** `{0}` is the first source field. */
  interpolate: z.object({ ...fromSome, template: Text }),
  /** Fields of `sourceFields` stand by their key, keys that are no words in braces. */
  arithmetic: z.object({ ...fromSome, equation: Text.min(1), locale: maybe(Locale) }),
  delete: z.object(ruled),
  /** The first value that is not empty. */
  coalesce: z.object(fromSome),
  /** What is empty is left out. */
  concatenate: z.object({ ...fromSome, separator: maybe(Text) }),
  array: z.object(fromSome),
  /** The pieces fill the destination fields in their order; the last one takes the rest. */
  split: z.object({
    sourceField: SourceField,
    destinationFields: z.array(FieldKey).min(1).max(50),
    separator: Text.min(1),
    filter: maybe(z.string()),
  }),
  /** Values without a translation stay, or become `otherwise`. */
  'value-map': z.object({ ...fromOne, values: Translations, otherwise: z.union([EnumValue, z.null()]).optional() }),
  /** Reads a date by the first format that fits (`dd.MM.yyyy`) and writes it as `output`, by default `yyyy-MM-dd`. */
  date: z.object({
    ...fromOne,
    format: maybe(Text),
    formats: maybe(z.array(Text).max(20)),
    locale: maybe(Locale),
    output: maybe(Text),
  }),
  /** Reads a number as the locale writes them, by default en-US. */
  number: z.object({ ...fromOne, locale: maybe(Locale) }),
} as const

export type PlainType = keyof typeof plain
export const PLAIN_RULES: { readonly [T in PlainType]: (typeof plain)[T] } = plain

/** A rule that groups others. */
export const Subprogram = z.object({ rules: z.array(z.unknown()), filter: maybe(z.string()) })

export type PlainRule = { [T in PlainType]: { type: T; config: z.output<(typeof plain)[T]> } }[PlainType]
/** A checked rule. */
export type Rule = PlainRule | { type: 'subprogram'; config: { rules: Rule[]; filter?: string | undefined } }

const told = {
  name: z.string().min(1).max(500),
  type: z.string().min(1).max(100),
  config: z.unknown().optional(),
  acceptedAt: maybe(z.iso.datetime({ offset: true })),
  acceptedBy: maybe(free('who accepted the rule, as its client says')),
  metadata: z.unknown().optional(),
}
/** A rule as clients tell it. Its `config` is checked against its type where the fields are known. */
export const MappingRuleConfig = z.object(told)
export type MappingRuleConfig = z.infer<typeof MappingRuleConfig>

export const MappingRule = z.object({
  id: Id,
  name: z.string(),
  type: z.string(),
  config: z.unknown().optional(),
  acceptedAt: z.string().optional(),
  acceptedBy: Id.optional(),
  metadata: z.unknown().optional(),
  /** How sure the suggestion is, from 0 to 1; absent where a client made the rule. */
  confidence: z.number().optional(),
  createdBy: Id.optional(),
  createdAt: Time,
  updatedAt: Time,
  deletedAt: Time.optional(),
})
export type MappingRule = z.infer<typeof MappingRule>
