import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'

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

/** Limited by the size of a DynamoDB item. */
export const MAX_APP_BYTES = 300 * 1024
export const MAX_CONSTRAINT_BYTES = 64 * 1024
export const MAX_CONSTRAINTS_PER_APP = 100
export const MAX_VERSIONS_PER_CONSTRAINT = 500
