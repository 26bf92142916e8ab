import * as z from 'zod'
import { Id } from '../../schemas/kit/ids.ts'
import { View } from '../../schemas/views/shape.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = View.extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  workbookId: Id,
  createdAt: z.string(),
})
const stored = entity({ name: 'view', shape: Shape, by: { inSheet: { index: 'gsi1', of: ['sheetId'] } } })
export type StoredView = Stored<typeof Shape>

export const Views = {
  ...stored,
  inSheet: (sheetId: string): Promise<StoredView[]> => stored.list('inSheet', { sheetId }),
}
