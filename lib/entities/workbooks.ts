/** Stored workbooks, listed by space; their sheets are separate items. */
import type * as z from 'zod'
import { Id } from '../../schemas/kit/ids.ts'
import { Workbook } from '../../schemas/workbooks/shape.ts'
import { entity, type Stored } from '../table/entity.ts'
import { Namespaces } from './namespaces.ts'

const Shape = Workbook.omit({ sheets: true }).extend({
  accountId: Id,
  namespaces: Namespaces,
})

const stored = entity({
  name: 'workbook',
  shape: Shape,
  by: { inSpace: { index: 'gsi1', of: ['spaceId'] }, inEnvironment: { index: 'gsi2', of: ['environmentId'] } },
})
export type StoredWorkbook = Stored<typeof Shape>

export const Workbooks = {
  ...stored,
  inSpace: (spaceId: string): Promise<StoredWorkbook[]> => stored.list('inSpace', { spaceId }, { order: 'desc' }),
  countIn: (spaceId: string): Promise<number> => stored.count('inSpace', { spaceId }, 'expiredAt'),
  inEnvironment: (environmentId: string): Promise<StoredWorkbook[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
}

export const workbookContext = (workbook: z.infer<typeof Shape>) => ({
  environmentId: workbook.environmentId,
  spaceId: workbook.spaceId,
  workbookId: workbook.id,
})
