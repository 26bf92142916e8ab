/** Autobuild configurations as they are shown and stored. */
import * as z from 'zod'
import { Id, scoped, Time } from './ids.ts'
import { Blueprint } from './workbooks.ts'

/** Workbooks of one configuration: a space and its first workbooks are written in one transaction. */
const WORKBOOKS = 5
/** Sheets of all of them. */
const SHEETS = 20
/** A configuration as JSON, in bytes: it is one item of the table. */
const BYTES = 300 * 1024

/** What spaces are begun with. */
export const AutobuildConfig = z
  .object({
    /** For spaces of this app; without it, for those of apps that have none. */
    appId: scoped('app').optional(),
    workbooks: z.array(Blueprint).min(1).max(WORKBOOKS),
  })
  .superRefine(({ workbooks }, context) => {
    const sheets = workbooks.reduce((sum, workbook) => sum + (workbook.sheets?.length ?? 0), 0)
    const add = (message: string) => context.addIssue({ code: 'custom', path: ['workbooks'], message })
    if (sheets > SHEETS) add(`may have ${SHEETS} sheets together; these have ${sheets}`)
    if (JSON.stringify(workbooks).length > BYTES) add(`may have ${BYTES} bytes as JSON`)
  })

export const Autobuild = z.object({
  ...AutobuildConfig.shape,
  id: Id,
  environmentId: Id,
  createdBy: Id,
  createdAt: Time,
})
