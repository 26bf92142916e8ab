import * as z from 'zod'
import { Actions } from '../actions/shape.ts'
import { Id, Time } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'

export const MAX_DOCUMENT_BYTES = 300 * 1024

export const documentFields = {
  title: z.string().max(500),
  body: z.string(),
  treatments: nullish(z.array(z.string()).max(100)),
  actions: nullish(Actions),
}

export const CreateDocument = z.object(documentFields)
export type CreateDocument = z.output<typeof CreateDocument>

export const Document = z.object({
  id: Id,
  spaceId: Id,
  environmentId: Id,
  title: z.string(),
  body: z.string(),
  treatments: z.array(z.string()).optional(),
  actions: Actions.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type Document = z.infer<typeof Document>
