/** The job operations the platform itself performs; every other one is performed by a listener or an agent. */
import * as z from 'zod'
import { Id } from './ids.ts'
import { operation } from './operation.ts'
import { maybe } from './optional.ts'
import { CellValue } from './records.ts'
import { QUERY_CHARACTERS } from './selection.ts'

export const extract = operation({
  name: 'file:extract',
  summary: 'Reads a delimited text file into a workbook',
  config: z.looseObject({
    driver: maybe(z.string()),
    options: maybe(z.record(z.string(), z.unknown())),
    detectedHeaderRow: maybe(z.number().int()),
  }),
})

export const map = operation({
  name: 'workbook:map',
  summary: "Copies one sheet's records into another by a plan of which field fills which",
  config: z.looseObject({ sourceSheetId: Id, destinationSheetId: Id }),
})

/** Which records of a sheet a job means, as in a query of a list: `ids` alone these, with anything else all but these. */
const chosen = {
  filter: maybe(z.enum(['valid', 'error', 'all', 'none'])),
  filterField: maybe(z.string()),
  searchValue: maybe(z.string()),
  searchField: maybe(z.string()),
  q: maybe(z.string().max(QUERY_CHARACTERS)),
  ids: maybe(z.array(Id)),
}
const snapshot = {
  /** A snapshot with this name is taken first. */
  snapshotLabel: maybe(z.string().max(500)),
  /** The snapshot that was taken. */
  snapshotId: maybe(Id),
}

export const deleteRecords = operation({
  name: 'workbook:delete-records',
  also: ['sheet:delete-records'],
  summary:
    "Deletes a sheet's records: those a filter selects but for the exceptions, or with `filter: none` just the exceptions",
  config: z.looseObject({
    sheet: Id,
    ...chosen,
    exceptions: maybe(z.array(Id)),
    ...snapshot,
  }),
})

export const mutateRecords = operation({
  name: 'workbook:mutate-records',
  also: ['sheet:mutate-records'],
  summary: 'Changes records by a JavaScript function of one record, run apart from everything else',
  config: z.looseObject({
    sheetId: Id,
    /** Text of the function: it is given a record and returns it changed. */
    mutateRecord: z.string().min(1),
    /** What made the function, where something did. */
    mutationId: maybe(z.string()),
    ...chosen,
    ...snapshot,
  }),
})

export const findReplace = operation({
  name: 'workbook:find-replace',
  also: ['sheet:find-replace'],
  summary: 'Replaces a text in the values of one field',
  config: z.looseObject({
    /** The job's source unless told. */
    sheetId: maybe(Id),
    fieldKey: z.string().min(1),
    find: CellValue.optional(),
    replace: CellValue.optional(),
    ...chosen,
    ...snapshot,
  }),
})
