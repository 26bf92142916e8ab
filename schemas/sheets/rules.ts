/**
 * Rules: constraints that the platform evaluates beyond `required` and `unique`. Their operators are those of FFQL.
 * `lib/records/fields/find-rule-problems.ts` checks what a schema cannot: patterns, queries and the fields they name.
 */
import * as z from 'zod'

export const MAX_PATTERN_LENGTH = 500
/** Steps of a compiled pattern: `x{100}` has a hundred. */
export const MAX_PATTERN_STEPS = 1000
/** Longer texts do not match: matching takes time for every character and step. */
export const MAX_MATCHED_CHARACTERS = 10_000
export const MAX_ALLOWED_VALUES = 1000
export const MAX_RULES_PER_SHEET = 20
export const MAX_FIELDS_PER_RULE = 20
export const MAX_CONDITION_LENGTH = 1000
export const MAX_MESSAGE_LENGTH = 500

export const Level = z.enum(['error', 'warn', 'info'])
const report = { message: z.string().max(MAX_MESSAGE_LENGTH).nullish(), level: Level.nullish() }
const Report = z.looseObject(report)
const FieldName = z.string().min(1).max(512)

const Scalar = z.union([z.string(), z.number(), z.boolean()])
const Bound = z.union([z.number(), z.string()])
const Count = z.number().int().min(0)

const Pattern = z.looseObject({
  type: z.literal('pattern'),
  config: z.looseObject({
    pattern: z.string().min(1).max(MAX_PATTERN_LENGTH),
    ignoreCase: z.boolean().nullish(),
    ...report,
  }),
})
const Length = z.looseObject({
  type: z.literal('length'),
  config: z.looseObject({ min: Count.nullish(), max: Count.nullish(), ...report }),
})
const Range = z.looseObject({
  type: z.literal('range'),
  config: z.looseObject({
    gte: Bound.nullish(),
    gt: Bound.nullish(),
    lte: Bound.nullish(),
    lt: Bound.nullish(),
    ...report,
  }),
})
const OneOf = z.looseObject({
  type: z.literal('oneOf'),
  config: z.looseObject({
    values: z.array(Scalar).min(1).max(MAX_ALLOWED_VALUES),
    ignoreCase: z.boolean().nullish(),
    ...report,
  }),
})
const Phone = z.looseObject({
  type: z.literal('phone'),
  config: z.looseObject({ country: z.string().nullish(), countryField: FieldName.nullish(), ...report }).nullish(),
})
const Email = z.looseObject({ type: z.literal('email'), config: Report.nullish() })
const Url = z.looseObject({ type: z.literal('url'), config: Report.nullish() })
const Uuid = z.looseObject({ type: z.literal('uuid'), config: Report.nullish() })

export const fieldRules = [Pattern, Length, Range, OneOf, Phone, Email, Url, Uuid] as const
export const FieldRule = z.discriminatedUnion('type', fieldRules)
export type FieldRule = z.infer<typeof FieldRule>

const Condition = z.string().min(1).max(MAX_CONDITION_LENGTH)

const RequiredWith = z.looseObject({
  type: z.literal('required-with'),
  config: z.looseObject({
    field: FieldName,
    with: z.array(FieldName).min(1).max(MAX_FIELDS_PER_RULE),
    ...report,
  }),
})
const RequiredIf = z.looseObject({
  type: z.literal('required-if'),
  config: z.looseObject({ field: FieldName, when: Condition, ...report }),
})
export const COMPARISONS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const
const Compare = z.looseObject({
  type: z.literal('compare'),
  config: z.looseObject({ field: FieldName, operator: z.enum(COMPARISONS), other: FieldName, ...report }),
})
const Rule = z.looseObject({
  type: z.literal('rule'),
  config: z.looseObject({
    when: Condition,
    message: z.string().min(1).max(MAX_MESSAGE_LENGTH),
    level: Level.nullish(),
    field: FieldName.nullish(),
  }),
})

export const sheetRules = [RequiredWith, RequiredIf, Compare, Rule] as const

const RULE_TYPES = new Set<unknown>([...fieldRules, ...sheetRules].map(({ shape }) => shape.type.value))
const EXTERNAL_PREFIX = 'rule:'

export interface PossibleRule {
  type: string
  validator?: unknown
  config?: unknown
}

/**
 * Undefined for other constraints. The public SDK sends only constraint types it knows, so
 * `{ type: 'external', validator: 'rule:email' }` is the rule `email`.
 */
export function toRule({ type, validator, config }: PossibleRule): Pick<PossibleRule, 'type' | 'config'> | undefined {
  if (RULE_TYPES.has(type)) return { type, config }
  if (type !== 'external' || typeof validator !== 'string' || !validator.startsWith(EXTERNAL_PREFIX)) return undefined
  return { type: validator.slice(EXTERNAL_PREFIX.length), config }
}
export const SheetRule = z.discriminatedUnion('type', sheetRules)
export type SheetRule = z.infer<typeof SheetRule>
