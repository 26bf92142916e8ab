import * as z from 'zod'
import { JobSchedule } from '../jobs/schedule.ts'
import { Id, Time } from '../kit/ids.ts'

export const InputField = z.looseObject({
  key: z.string().min(1),
  label: z.string(),
  /** `string`, `textarea`, `number`, `boolean`, `date`, `enum` or `enum-list`; other types are not validated. */
  type: z.string(),
  defaultValue: z.unknown().optional(),
  config: z.looseObject({ options: z.array(z.looseObject({ value: z.unknown().optional() })) }).nullish(),
  constraints: z.array(z.looseObject({ type: z.literal('required') })).nullish(),
})
export type InputField = z.infer<typeof InputField>

export const ActionConstraint = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('hasAllValid'), ignoreSelection: z.boolean().nullish() }),
  z.looseObject({ type: z.literal('hasSelection') }),
  z.looseObject({ type: z.literal('hasData') }),
  z.looseObject({ type: z.literal('hasColumnEnabled') }),
])
export type ActionConstraint = z.infer<typeof ActionConstraint>

export const ActionMount = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('sheet'), slugs: z.array(z.string()).nullish() }),
  z.looseObject({ type: z.literal('workbook'), slugs: z.array(z.string()).nullish() }),
  z.looseObject({ type: z.literal('field'), keys: z.array(z.string()).nullish() }),
  z.looseObject({ type: z.literal('document') }),
  z.looseObject({ type: z.literal('file') }),
])

/** Stored as configured; `operation` is the operation of the job it creates. */
export const Action = z.looseObject({
  operation: z.string().nullish(),
  slug: z.string().nullish(),
  label: z.string(),
  mode: z.enum(['foreground', 'background', 'toolbarBlocking', 'hidden']).nullish(),
  description: z.string().nullish(),
  primary: z.boolean().nullish(),
  confirm: z.boolean().nullish(),
  schedule: JobSchedule.nullish(),
  inputForm: z.looseObject({ type: z.literal('simple'), fields: z.array(InputField) }).nullish(),
  constraints: z.array(ActionConstraint).nullish(),
  requireAllValid: z.boolean().nullish(),
  requireSelection: z.boolean().nullish(),
  mount: ActionMount.nullish(),
})
export type Action = z.infer<typeof Action>
export const Actions = z.array(Action)

export const MAX_ACTION_BYTES = 64 * 1024
export const MAX_ACTIONS_PER_CALL = 40

export const StandAloneAction = Action.extend({
  id: Id,
  targetId: Id,
  createdAt: Time,
  updatedAt: Time,
})
