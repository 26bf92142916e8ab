/** Actions: buttons that create a job; configured on spaces, workbooks, sheets, files and documents. */
import * as z from 'zod'

/** Stored as configured; `operation` becomes the operation of the job a click creates. */
export const Action = z.looseObject({
  operation: z.string().optional(),
  slug: z.string().optional(),
  label: z.string(),
  mode: z.enum(['foreground', 'background', 'toolbarBlocking', 'hidden']).nullish(),
  description: z.string().nullish(),
  primary: z.boolean().nullish(),
  confirm: z.boolean().nullish(),
})
export const Actions = z.array(Action)
