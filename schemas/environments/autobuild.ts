import * as z from 'zod'
import { Id, scoped, Time } from '../kit/ids.ts'
import { message } from '../messages/index.ts'
import { Blueprint } from '../workbooks/shape.ts'

/** Limited because a space and its first workbooks are created in one transaction. */
const MAX_WORKBOOKS = 5
const MAX_SHEETS = 20
const MAX_BYTES = 300 * 1024

export const AutobuildConfig = z
  .object({
    /** If absent, applies to spaces of apps without a configuration. */
    appId: scoped('app').optional(),
    workbooks: z.array(Blueprint).min(1).max(MAX_WORKBOOKS),
  })
  .superRefine(({ workbooks }, context) => {
    const sheets = workbooks.reduce((sum, workbook) => sum + (workbook.sheets?.length ?? 0), 0)
    const add = (problem: string) => context.addIssue({ code: 'custom', path: ['workbooks'], message: problem })
    if (sheets > MAX_SHEETS) add(message('requests.tooManySheetsInAll', { limit: MAX_SHEETS, sheets }))
    if (JSON.stringify(workbooks).length > MAX_BYTES) add(message('shape.bytesAsJson', { count: MAX_BYTES }))
  })

export const Autobuild = z.object({
  ...AutobuildConfig.shape,
  id: Id,
  environmentId: Id,
  createdBy: Id,
  createdAt: Time,
})
