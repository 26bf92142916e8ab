/** The job operations the platform itself performs; every other one is performed by a listener or an agent. */
import * as z from 'zod'
import { Id } from './ids.ts'
import { RULES_PER_PROGRAM } from './mapping-rule.ts'
import { operation } from './operation.ts'
import { maybe } from './optional.ts'

export const extract = operation({
  name: 'file:extract',
  summary: 'Reads a file into a workbook: delimited text, XLSX, JSON, JSON lines, XML, and archives of these',
  config: z.looseObject({
    driver: maybe(z.string()),
    /** What the file does not say itself. */
    options: maybe(
      z.looseObject({
        /** Of text: one character. */
        delimiter: maybe(z.string().length(1)),
        /** Of text, e.g. `windows-1252`. */
        encoding: maybe(z.string().max(40)),
        /** Characters of each column, for text in columns of fixed width. */
        widths: maybe(z.array(z.number().int().min(1).max(100_000)).min(1).max(499)),
      }),
    ),
    /** Of text: the row that names the columns, from 1; 0 for none. */
    detectedHeaderRow: maybe(z.number().int().min(0).max(200)),
  }),
})

export const map = operation({
  name: 'workbook:map',
  summary: "Copies one sheet's records into another by a plan of which field fills which, or by rules",
  config: z.looseObject({
    sourceSheetId: Id,
    destinationSheetId: Id,
    /** In place of suggestions: rules as of a mapping program. */
    mappingRules: maybe(z.array(z.looseObject({})).max(RULES_PER_PROGRAM)),
    /** In place of suggestions: the rules of a saved program. */
    programId: maybe(Id),
    /** Suggests for what the rules leave, and again for fields that are others when the job begins. */
    canRecompute: maybe(z.boolean()),
  }),
})

export const deleteRecords = operation({
  name: 'workbook:delete-records',
  summary:
    "Deletes a sheet's records: those a filter selects but for the exceptions, or with `filter: none` just the exceptions",
  config: z.looseObject({
    sheet: Id,
    filter: maybe(z.enum(['valid', 'error', 'all', 'none'])),
    filterField: maybe(z.string()),
    searchValue: maybe(z.string()),
    searchField: maybe(z.string()),
    exceptions: maybe(z.array(Id)),
  }),
})
