import * as z from 'zod'
import { Empty, FileContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'
import { FileStatus } from './shape.ts'

export const created = topic('file:created', {
  when: 'a file is uploaded completely',
  payload: Empty,
  context: FileContext,
})
export const updated = topic('file:updated', {
  when: 'a file is updated, for example extracted into a workbook',
  payload: z.object({ status: FileStatus, workbookId: Id.optional() }),
  context: FileContext,
})
export const deleted = topic('file:deleted', { when: 'a file is deleted', payload: Empty, context: FileContext })
export const expired = topic('file:expired', {
  when: 'a file expires by a data retention policy',
  payload: Empty,
  context: FileContext,
})
