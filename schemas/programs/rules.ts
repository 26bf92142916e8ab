/**
 * Mapping rules: the `config` of each type. The types are those of the public rule language plus `split`, `value-map`,
 * `date`, `number`, `read` and `edit`. Later rules read earlier results as `destination!<field key>`.
 * Two public types are rejected: `nest` puts lists of records into a cell, which no field type holds, and the language
 * of `ast` is not published.
 */
import * as z from 'zod'
import { documentAs } from '../kit/documented.ts'
import { Id, Time, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { pascalCase } from '../kit/pascal-case.ts'
import { message } from '../messages/index.ts'
import { ValueEdit } from '../quality/shape.ts'
import { FieldKey } from '../sheets/fields.ts'
import { LeaveOut } from './other-lines.ts'
import { EnumValue } from './plan.ts'
import { Reading } from './readings.ts'

export const MAX_RULES_PER_PROGRAM = 1000
export const MAX_SUBPROGRAM_DEPTH = 3
export const MAX_RULE_TEXT_LENGTH = 1000
const MAX_ITEMS_PER_RULE = 1000

const Text = z.string().max(MAX_RULE_TEXT_LENGTH)
const SourceField = z.string().min(1).max(600)
const SourceFields = z.array(SourceField).min(1).max(MAX_ITEMS_PER_RULE)
const ruleTarget = { destinationField: FieldKey, filter: nullish(z.string()) }
const singleSource = { sourceField: SourceField, ...ruleTarget }
const multipleSources = { sourceFields: SourceFields, ...ruleTarget }

const Translations = z.array(z.object({ sourceValue: EnumValue, destinationValue: EnumValue })).max(MAX_ITEMS_PER_RULE)
const Locale = z.string().refine(
  (tag) => {
    try {
      return Intl.getCanonicalLocales(tag).length === 1
    } catch {
      return false
    }
  },
  message('mappings.invalidLanguageTag', { example: 'de-DE' }),
)

export const TRANSFORMS = ['uppercase', 'lowercase', 'titlecase', 'trim', 'collapse-spaces'] as const

const plainRules = {
  /** `values` translates some values; `delimiter` splits the cell into a list. */
  assign: z.object({ ...singleSource, values: nullish(Translations), delimiter: nullish(Text) }),
  ignore: z.object({ sourceField: SourceField, filter: nullish(z.string()) }),
  constant: z.object({ ...ruleTarget, value: z.union([EnumValue, z.array(z.string()), z.null()]) }),
  'find-replace': z.object({
    ...ruleTarget,
    values: z.array(z.object({ find: Text.min(1), replace: Text })).max(MAX_ITEMS_PER_RULE),
  }),
  transform: z.object({ ...singleSource, transform: z.enum(TRANSFORMS) }),
  /** Capture groups fill the destination fields in order; all are empty without a match. Syntax: RE2. */
  'regex-extract': z.object({
    sourceField: SourceField,
    destinationFields: z.array(FieldKey).min(1).max(50),
    regex: Text.min(1),
    filter: nullish(z.string()),
  }),
  interpolate: z.object({ ...multipleSources, template: Text }),
  /** Variables are keys of `sourceFields`; a key that is not an identifier goes in braces. */
  arithmetic: z.object({ ...multipleSources, equation: Text.min(1), locale: nullish(Locale) }),
  delete: z.object(ruleTarget),
  coalesce: z.object(multipleSources),
  concatenate: z.object({ ...multipleSources, separator: nullish(Text) }),
  array: z.object(multipleSources),
  split: z.object({
    sourceField: SourceField,
    destinationFields: z.array(FieldKey).min(1).max(50),
    separator: Text.min(1),
    filter: nullish(z.string()),
  }),
  'value-map': z.object({
    ...singleSource,
    values: Translations,
    otherwise: z.union([EnumValue, z.null()]).optional(),
  }),
  /** Reads a date by the first matching format (`dd.MM.yyyy`) and writes it as `output`, by default `yyyy-MM-dd`. */
  date: z.object({
    ...singleSource,
    format: nullish(Text),
    formats: nullish(z.array(Text).max(20)),
    locale: nullish(Locale),
    output: nullish(Text),
  }),
  number: z.object({ ...singleSource, locale: nullish(Locale) }),
  read: z.object({ ...singleSource, reading: Reading }),
  /** Leaves out rows that are not records. Only at the top level of a program. */
  'leave-out': LeaveOut,
  /** Changes values like an edit of the destination's records. */
  edit: z.object({ ...singleSource, edit: ValueEdit }),
} as const

export type PlainType = keyof typeof plainRules
export const PLAIN_RULES: { readonly [T in PlainType]: (typeof plainRules)[T] } = plainRules

export const Subprogram = z.object({ rules: z.array(z.unknown()), filter: nullish(z.string()) })

export type PlainRule = { [T in PlainType]: { type: T; config: z.output<(typeof plainRules)[T]> } }[PlainType]
export type Rule = PlainRule | { type: 'subprogram'; config: { rules: Rule[]; filter?: string | undefined } }

/** Client generators cannot follow recursive types, so the documentation leaves the config of nested rules open. */
const NestedRule = z.looseObject({
  name: z.string().optional(),
  type: z.string(),
  config: z.looseObject({}).optional(),
})

export const listRuleConfigs = (): [type: string, config: z.ZodObject][] =>
  Object.entries<z.ZodObject>({ ...plainRules, subprogram: Subprogram.extend({ rules: z.array(NestedRule) }) }).map(
    ([type, config]) => [type, config.meta({ title: `${pascalCase(type)}RuleConfig` })],
  )

/** Validated later, together with the fields; the documentation lists the config of each type. */
const config = documentAs(z.unknown(), () => z.union(listRuleConfigs().map(([, config]) => config))).optional()

const documentByType = <T extends z.ZodObject>(rule: T): T =>
  documentAs(rule, () => {
    const [firstRule, ...otherRules] = listRuleConfigs().map(([type, config]) =>
      rule.extend({ type: z.literal(type), config }),
    )
    return z.discriminatedUnion('type', [firstRule!, ...otherRules])
  })

const ruleInput = {
  name: z.string().min(1).max(500),
  type: z.string().min(1).max(100),
  config,
  acceptedAt: nullish(z.iso.datetime({ offset: true })),
  acceptedBy: nullish(unscoped('the user who accepted the rule, as reported by the client')),
  metadata: z.unknown().optional(),
}
export const MappingRuleConfig = documentByType(z.object(ruleInput))
export type MappingRuleConfig = z.infer<typeof MappingRuleConfig>

const rule = {
  id: Id,
  name: z.string(),
  type: z.string(),
  config,
  acceptedAt: z.string().optional(),
  acceptedBy: Id.optional(),
  metadata: z.unknown().optional(),
  confidence: z.number().optional(),
  createdBy: Id.optional(),
  createdAt: Time,
  updatedAt: Time,
  deletedAt: Time.optional(),
}
export const MappingRule = documentByType(z.object(rule))
export const ProgramRule = documentByType(z.object(rule).partial({ id: true, createdAt: true, updatedAt: true }))
export type MappingRule = z.infer<typeof MappingRule>
