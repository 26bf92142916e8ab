/** Stored workbooks, listed by space. Their sheets are items of their own. */
import type * as z from 'zod'
import { Id } from '../../schemas/ids.ts'
import { Workbook } from '../../schemas/workbook.ts'
import { entity, type Stored } from '../table/entity.ts'
import { Namespaces } from './namespaces.ts'

const Shape = Workbook.omit({ sheets: true }).extend({
  accountId: Id,
  /** What listeners filter by: the namespaces of its space and itself. */
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
  /** Without those that are expired. */
  countIn: (spaceId: string): Promise<number> => stored.count('inSpace', { spaceId }, 'expiredAt'),
  inEnvironment: (environmentId: string): Promise<StoredWorkbook[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
}

/** The context of an event about the workbook or something in it. */
export const workbookContext = (workbook: z.infer<typeof Shape>) => ({
  environmentId: workbook.environmentId,
  spaceId: workbook.spaceId,
  workbookId: workbook.id,
})
