/**
 * The language of mapping rules: what each type of rule is told in its `config`. The types and members are the public ones
 * of this field's rule language; `split`, `value-map`, `date` and `number` are further ones. Rules are applied in order, and
 * see what earlier ones made as `destination!<field key>`. Of the public types two are refused by name: `nest` makes lists of
 * records inside of a cell, which no field type holds, and `ast` is a tree of code whose language is published nowhere.
 */
import * as z from 'zod'
import { documentedAs } from './documented.ts'
import { FieldKey } from './fields.ts'
import { free, Id, Time } from './ids.ts'
import { EnumValue } from './mapping.ts'
import { maybe } from './optional.ts'
import { pascalCase } from './pascal-case.ts'

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

/** A generator of clients cannot follow types that contain themselves: documents leave open the config of these. */
const NestedRule = z.looseObject({
  name: z.string().optional(),
  type: z.string(),
  config: z.looseObject({}).optional(),
})

/** The `config` of each type of rule as documents describe it. Titles tell apart those with the same members. */
export const ruleConfigs = (): [type: string, config: z.ZodObject][] =>
  Object.entries<z.ZodObject>({ ...plain, subprogram: Subprogram.extend({ rules: z.array(NestedRule) }) }).map(
    ([type, config]) => [type, config.meta({ title: `${pascalCase(type)}RuleConfig` })],
  )

/** Where a rule is written its `config` is checked together with the fields; documents say what each type takes. */
const config = documentedAs(z.unknown(), () => z.union(ruleConfigs().map(([, config]) => config))).optional()

/** Documents have the type of a rule say what its `config` is. */
const byType = <T extends z.ZodObject>(rule: T): T =>
  documentedAs(rule, () => {
    const [first, ...others] = ruleConfigs().map(([type, config]) => rule.extend({ type: z.literal(type), config }))
    return z.discriminatedUnion('type', [first!, ...others])
  })

const told = {
  name: z.string().min(1).max(500),
  type: z.string().min(1).max(100),
  config,
  acceptedAt: maybe(z.iso.datetime({ offset: true })),
  acceptedBy: maybe(free('who accepted the rule, as its client says')),
  metadata: z.unknown().optional(),
}
/** A rule as clients tell it. Its `config` is checked against its type where the fields are known. */
export const MappingRuleConfig = byType(z.object(told))
export type MappingRuleConfig = z.infer<typeof MappingRuleConfig>

const rule = {
  id: Id,
  name: z.string(),
  type: z.string(),
  config,
  acceptedAt: z.string().optional(),
  acceptedBy: Id.optional(),
  metadata: z.unknown().optional(),
  /** How sure the suggestion is, from 0 to 1; absent where a client made the rule. */
  confidence: z.number().optional(),
  createdBy: Id.optional(),
  createdAt: Time,
  updatedAt: Time,
  deletedAt: Time.optional(),
}
export const MappingRule = byType(z.object(rule))
/** A rule of a program that was not saved has no id. */
export const ProgramRule = byType(z.object(rule).partial({ id: true, createdAt: true, updatedAt: true }))
export type MappingRule = z.infer<typeof MappingRule>
