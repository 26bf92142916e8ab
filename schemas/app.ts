/** Apps of an account and the constraints stored with them; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

/** What several spaces have in common: a space names its app by `appId`. */
export const App = z.object({
  id: Id,
  name: z.string(),
  /** Exists once in an account. */
  namespace: z.string(),
  type: z.enum(['PORTAL', 'PROJECTS', 'MAPPING', 'WORKBOOKS', 'CUSTOM']),
  /** What a space of the app is called there. */
  entity: z.string(),
  entityPlural: z.string(),
  icon: z.string().optional(),
  metadata: z.unknown().optional(),
  environmentFilters: z.unknown().optional(),
  blueprint: z.unknown().optional(),
  createdAt: Time,
  updatedAt: Time,
  activatedAt: Time.optional(),
})
export type App = z.infer<typeof App>

/** A rule for values, as code that listeners run: fields name it by `{ type: 'stored', validator }`. */
export const AppConstraint = z.object({
  id: Id,
  appId: Id,
  /** Exists once in an app. */
  validator: z.string(),
  description: z.string().optional(),
  /** JavaScript source text. */
  function: z.string().optional(),
  options: z.unknown().optional(),
  label: z.string().optional(),
  createdAt: Time,
  updatedAt: Time,
})
export const ConstraintVersion = AppConstraint.extend({
  /** From 1. */
  version: z.number().int(),
})
