/** The shape of actions: buttons that create a job. Their endpoints are in actions.ts. */
import * as z from 'zod'
import { JobSchedule } from './schedule.ts'

/** A field of the form that is filled in before an action's job is created. */
export const InputField = z.looseObject({
  key: z.string().min(1),
  label: z.string(),
  /** `string`, `textarea`, `number`, `boolean`, `date`, `enum`, `enum-list`; values of other types are taken as they are. */
  type: z.string(),
  defaultValue: z.unknown().optional(),
  config: z.looseObject({ options: z.array(z.looseObject({ value: z.unknown().optional() })) }).nullish(),
  constraints: z.array(z.looseObject({ type: z.literal('required') })).nullish(),
})
export type InputField = z.infer<typeof InputField>

export const ActionConstraint = z.discriminatedUnion('type', [
  /** Every record is valid: of the selection, where there is one and it is not to be ignored. */
  z.looseObject({ type: z.literal('hasAllValid'), ignoreSelection: z.boolean().nullish() }),
  z.looseObject({ type: z.literal('hasSelection') }),
  z.looseObject({ type: z.literal('hasData') }),
  /** The column it is called on can be changed. */
  z.looseObject({ type: z.literal('hasColumnEnabled') }),
])
export type ActionConstraint = z.infer<typeof ActionConstraint>

/** Where an action is offered, when that is not what carries it. */
export const ActionMount = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('sheet'), slugs: z.array(z.string()).nullish() }),
  z.looseObject({ type: z.literal('workbook'), slugs: z.array(z.string()).nullish() }),
  z.looseObject({ type: z.literal('field'), keys: z.array(z.string()).nullish() }),
  z.looseObject({ type: z.literal('document') }),
  z.looseObject({ type: z.literal('file') }),
])

/** Stored as configured; `operation` becomes the operation of the job a click creates. */
export const Action = z.looseObject({
  operation: z.string().nullish(),
  /** The older name of `operation`. */
  slug: z.string().nullish(),
  label: z.string(),
  mode: z.enum(['foreground', 'background', 'toolbarBlocking', 'hidden']).nullish(),
  description: z.string().nullish(),
  primary: z.boolean().nullish(),
  confirm: z.boolean().nullish(),
  /** The platform creates its job by itself, again and again. */
  schedule: JobSchedule.nullish(),
  inputForm: z.looseObject({ type: z.literal('simple'), fields: z.array(InputField) }).nullish(),
  constraints: z.array(ActionConstraint).nullish(),
  /** Older names of constraints. */
  requireAllValid: z.boolean().nullish(),
  requireSelection: z.boolean().nullish(),
  mount: ActionMount.nullish(),
})
export type Action = z.infer<typeof Action>
export const Actions = z.array(Action)
