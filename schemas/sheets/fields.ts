import * as z from 'zod'
import { Actions } from '../actions/shape.ts'
import { message } from '../messages/index.ts'
import { fieldRules, Level, sheetRules } from './rules.ts'

export const MAX_CONSTRAINTS_PER_FIELD = 10
export const MAX_OPTIONS_PER_FIELD = 5000

const messageAndLevel = { message: z.string().nullish(), level: Level.nullish() }

export const Constraint = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('required'), config: z.looseObject(messageAndLevel).nullish() }),
  z.looseObject({
    type: z.literal('unique'),
    config: z
      .looseObject({ ...messageAndLevel, caseSensitive: z.boolean().nullish(), ignoreEmpty: z.boolean().nullish() })
      .nullish(),
  }),
  z.looseObject({ type: z.literal('computed') }),
  z.looseObject({ type: z.literal('external'), validator: z.string(), config: z.unknown().optional() }),
  z.looseObject({ type: z.literal('stored'), validator: z.string(), config: z.unknown().optional() }),
  ...fieldRules,
])
export type Constraint = z.infer<typeof Constraint>

/** Rejects keys with a special meaning in JavaScript. */
export const FieldKey = z
  .string()
  .min(1)
  .max(512)
  .refine((key) => key !== '__proto__', message('records.reservedKey'))

const base = {
  key: FieldKey,
  label: z.string().nullish(),
  description: z.string().nullish(),
  constraints: z.array(Constraint).max(MAX_CONSTRAINTS_PER_FIELD).nullish(),
  readonly: z.boolean().nullish(),
  appearance: z.looseObject({ size: z.enum(['xs', 's', 'm', 'l', 'xl']).nullish() }).nullish(),
  actions: Actions.nullish(),
  metadata: z.unknown().optional(),
  treatments: z.array(z.string()).nullish(),
  alternativeNames: z.array(z.string()).nullish(),
}

export const EnumOption = z.looseObject({
  value: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  label: z.string().nullish(),
  alternativeNames: z.array(z.string()).nullish(),
})
const EnumConfig = z.looseObject({
  options: z.array(EnumOption).max(MAX_OPTIONS_PER_FIELD),
  allowCustom: z.boolean().nullish(),
  sortBy: z.enum(['label', 'value', 'ordinal']).nullish(),
})
const ReferenceConfig = z.looseObject({ ref: z.string().min(1), key: z.string().min(1) })
const isArray = { isArray: z.boolean().nullish() }

export const Field = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('string'), ...base, config: z.looseObject({}).nullish() }),
  z.looseObject({ type: z.literal('number'), ...base, ...isArray, config: z.looseObject({}).nullish() }),
  z.looseObject({
    type: z.literal('boolean'),
    ...base,
    config: z.looseObject({ allowIndeterminate: z.boolean().nullish() }).nullish(),
  }),
  z.looseObject({ type: z.literal('date'), ...base }),
  z.looseObject({ type: z.literal('enum'), ...base, ...isArray, multi: z.boolean().nullish(), config: EnumConfig }),
  z.looseObject({ type: z.literal('enum-list'), ...base, config: EnumConfig }),
  z.looseObject({ type: z.literal('string-list'), ...base }),
  z.looseObject({ type: z.literal('reference'), ...base, ...isArray, config: ReferenceConfig }),
  z.looseObject({ type: z.literal('reference-list'), ...base, config: ReferenceConfig }),
])
export type Field = z.infer<typeof Field>

export const SheetConstraint = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('unique'),
    name: z.string(),
    fields: z.array(z.string()).min(1),
    requiredFields: z.array(z.string()).nullish(),
    strategy: z.enum(['hash', 'concat']).nullish(),
    config: z.looseObject(messageAndLevel).nullish(),
  }),
  z.looseObject({ type: z.literal('external'), validator: z.string(), fields: z.array(z.string()).nullish() }),
  ...sheetRules,
])
export type SheetConstraint = z.infer<typeof SheetConstraint>
