import * as z from 'zod'
import { Empty, EnvironmentContext, IdOrEmpty } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const EMPTY_DESCRIPTION = 'Id of its resource; empty for a program between configurations rather than sheets.'
const context = z.looseObject({
  ...EnvironmentContext.shape,
  programId: Id,
  spaceId: IdOrEmpty.describe(EMPTY_DESCRIPTION),
  workbookId: IdOrEmpty.describe(EMPTY_DESCRIPTION),
  sheetId: IdOrEmpty.describe(EMPTY_DESCRIPTION),
  jobId: Id.optional(),
})
const programEvent = { payload: Empty, context }
export const created = topic('program:created', {
  when: 'a mapping program is created, by a client or together with the plan of a job',
  ...programEvent,
})
export const updated = topic('program:updated', {
  when: 'a mapping program or its rules change, or a job has used it to copy records',
  ...programEvent,
})
export const recomputing = topic('program:recomputing', {
  when: "a program's suggestions start being recomputed because its fields changed",
  ...programEvent,
})
export const recomputed = topic('program:recomputed', {
  when: "a program's suggestions have been recomputed",
  ...programEvent,
})
