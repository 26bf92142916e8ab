import * as z from 'zod'
import { Empty, SpaceContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const documentEvent = { payload: Empty, context: z.looseObject({ ...SpaceContext.shape, documentId: Id }) }
export const created = topic('document:created', { when: 'a document is created', ...documentEvent })
export const updated = topic('document:updated', { when: 'a document is updated', ...documentEvent })
export const deleted = topic('document:deleted', { when: 'a document is deleted', ...documentEvent })
