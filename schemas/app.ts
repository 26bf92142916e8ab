/** Schemas of apps and their stored constraints. Access checks load only this file, not the endpoints. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

export const App = z.object({
  id: Id,
  name: z.string(),
  namespace: z.string(),
  type: z.enum(['PORTAL', 'PROJECTS', 'MAPPING', 'WORKBOOKS', 'CUSTOM']),
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

/** A validation rule as code that listeners run; fields use it by `{ type: 'stored', validator }`. */
export const AppConstraint = z.object({
  id: Id,
  appId: Id,
  validator: z.string(),
  description: z.string().optional(),
  function: z.string().optional(),
  options: z.unknown().optional(),
  label: z.string().optional(),
  createdAt: Time,
  updatedAt: Time,
})
export const ConstraintVersion = AppConstraint.extend({
  version: z.number().int(),
})
