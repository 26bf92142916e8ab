/** The job operations that the platform runs. All others are run by listeners or agents. */
import * as z from 'zod'
import { AgentExportType } from '../agents/shape.ts'
import { narrowing, scoped, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { operation } from '../kit/operation.ts'
import { MAX_RULES_PER_PROGRAM } from '../programs/rules.ts'
import { Edit } from '../quality/shape.ts'
import { CellValue } from '../records/input.ts'
import { MAX_IDS_PER_CALL, MAX_QUERY_LENGTH } from '../records/selection.ts'
import { importOptions, recipeOptions } from './import-modes.ts'

/** Named as in the public extractors: the value fills all merged cells, or only the top left one. */
const MergedCells = nullish(z.strictObject({ treatment: z.enum(['applyToAll', 'applyToTopLeft']) }))
const MergedCellOptions = z.strictObject({
  acrossColumns: MergedCells,
  acrossRows: MergedCells,
  acrossRanges: MergedCells,
})
export type MergedCellOptions = Partial<z.output<typeof MergedCellOptions>>

const HeaderRow = z.number().int().min(0).max(200)
const HeaderLines = z.number().int().min(1).max(5)
const HeaderLineCounts = z.union([HeaderLines, z.record(z.string(), HeaderLines)])
export type HeaderLineCounts = z.output<typeof HeaderLineCounts>

const AsciiCharacter = z.string().regex(/^[!-~]$/)

export const extract = operation({
  name: 'file:extract',
  summary:
    'Extracts a file into a workbook: delimited text, XLSX, XLSB, XLS, ODS, Parquet, Arrow, JSON, JSON lines, XML, HTML tables, and archives of these',
  config: z.looseObject({
    driver: nullish(z.string()),
    options: nullish(
      z.looseObject({
        delimiter: nullish(z.string().length(1)),
        quote: nullish(AsciiCharacter),
        escape: nullish(AsciiCharacter),
        encoding: nullish(z.string().max(40)),
        /** Characters per column, for fixed-width text. */
        widths: nullish(z.array(z.number().int().min(1).max(100_000)).min(1).max(499)),
        mergedCellOptions: nullish(MergedCellOptions),
        headerRows: nullish(z.record(z.string(), HeaderRow)),
        /** Whether several tables on one sheet of a workbook become separate sheets. Default true. */
        splitSheets: nullish(z.boolean()),
        /** How many lines the header has, up to the header row: one number, or one for each sheet. */
        headerLines: nullish(HeaderLineCounts),
      }),
    ),
    /** The header row, from 1: the last one of several lines. 0 if there is none. */
    detectedHeaderRow: nullish(HeaderRow),
  }),
})

export const map = operation({
  name: 'workbook:map',
  summary: "Copies one sheet's records into another, by a field mapping or by rules",
  config: z.looseObject({
    sourceSheetId: scoped('sheet'),
    destinationSheetId: scoped('sheet'),
    mappingRules: nullish(z.array(z.looseObject({})).max(MAX_RULES_PER_PROGRAM)),
    programId: nullish(scoped('program')),
    /** Suggests mappings for fields without a rule, and again if the fields changed by the time the job starts. */
    canRecompute: nullish(z.boolean()),
    ...importOptions,
    ...recipeOptions,
  }),
})

/** The records of a job, as in a list query: `ids` only selects these; with any other filter it excludes them. */
const recordSelection = {
  filter: nullish(z.enum(['valid', 'error', 'all', 'none'])),
  filterField: nullish(z.string()),
  searchValue: nullish(z.string()),
  searchField: nullish(z.string()),
  q: nullish(z.string().max(MAX_QUERY_LENGTH)),
  ids: nullish(z.array(narrowing('record'))),
}
const snapshotOptions = {
  snapshotLabel: nullish(z.string().max(500)),
  snapshotId: nullish(unscoped('written by the platform after taking the snapshot, and never read')),
}

export const deleteRecords = operation({
  name: 'workbook:delete-records',
  aliases: ['sheet:delete-records'],
  summary:
    "Deletes a sheet's records: all that a filter selects except the exceptions, or with `filter: none` only the exceptions",
  config: z.looseObject({
    sheet: scoped('sheet'),
    ...recordSelection,
    exceptions: nullish(z.array(narrowing('record'))),
    ...snapshotOptions,
  }),
})

export const mutateRecords = operation({
  name: 'workbook:mutate-records',
  aliases: ['sheet:mutate-records'],
  summary: 'Changes records with a JavaScript function that gets one record at a time, run in a sandbox',
  config: z.looseObject({
    sheetId: scoped('sheet'),
    mutateRecord: z.string().min(1),
    mutationId: nullish(unscoped("the client's name for the origin of the function", z.string())),
    ...recordSelection,
    ...snapshotOptions,
  }),
})

export const findReplace = operation({
  name: 'workbook:find-replace',
  aliases: ['sheet:find-replace'],
  summary: 'Replaces text in the values of one field',
  config: z.looseObject({
    sheetId: nullish(scoped('sheet')),
    fieldKey: z.string().min(1),
    find: CellValue.optional(),
    replace: CellValue.optional(),
    ...recordSelection,
    ...snapshotOptions,
  }),
})

export const editValues = operation({
  name: 'workbook:edit-values',
  aliases: ['sheet:edit-values'],
  summary: 'Applies an edit: changes all records that have the same values in a field',
  config: z.looseObject({
    sheetId: nullish(scoped('sheet')),
    edit: Edit,
    version: nullish(z.number().int().min(0)),
    ...recordSelection,
    ...snapshotOptions,
  }),
})

export const submit = operation({
  name: 'workbook:submit-and-lock',
  summary:
    'Submits a workbook that has an action with this operation: checks the constraints of the action and locks the sheets',
  config: z.looseObject({}),
})

export const assistantReply = operation({
  name: 'space:assistant-reply',
  summary: 'Adds the reply of the assistant to a thread; created by `POST /threads/{threadId}/ask` only',
  config: z.strictObject({}),
})

export const EXPORT_FORMATS = ['csv', 'xlsx', 'ods', 'json', 'jsonl', 'jsonl.gz', 'parquet'] as const
export const isWorkbookFormat = (format: ExportOptions['format']) => format === 'xlsx' || format === 'ods'

export const ExportOptions = z.looseObject({
  format: z
    .enum(EXPORT_FORMATS)
    .nullish()
    .transform((format) => format ?? 'xlsx'),
  filter: nullish(z.enum(['valid', 'error', 'all', 'none'])),
  filterField: nullish(z.string()),
  searchValue: nullish(z.string()),
  searchField: nullish(z.string()),
  sortField: nullish(z.string()),
  sortDirection: nullish(z.enum(['asc', 'desc'])),
  q: nullish(z.string().max(MAX_QUERY_LENGTH)),
  ids: nullish(z.array(narrowing('record')).max(MAX_IDS_PER_CALL)),
  commitId: nullish(scoped('commit')),
  versionId: nullish(scoped('commit')),
  excludeFields: nullish(z.array(z.string()).max(500)),
  /** Prefixes CSV values that a spreadsheet would run as formulas with an apostrophe. Default true. */
  escapeFormulas: nullish(z.boolean()),
  /** An error report: only records with errors by default, and a last column with their messages. */
  errors: nullish(z.boolean()),
  comments: nullish(z.boolean()),
  fileName: nullish(z.string().trim().min(1).max(200)),
})
export type ExportOptions = z.output<typeof ExportOptions>

export const exportSheet = operation({
  name: 'sheet:export',
  summary: "Writes a sheet's records to a file of the space: XLSX, ODS, CSV, JSON, JSON lines or Parquet",
  config: z.looseObject({ options: ExportOptions }),
})

export const exportWorkbook = operation({
  name: 'workbook:export',
  summary:
    'Writes the sheets of a workbook to a file of the space: one XLSX, ODS or JSON file, or a ZIP archive for other formats',
  config: z.looseObject({
    options: ExportOptions,
    sheets: nullish(z.array(scoped('sheet')).min(1)),
  }),
})

export const exportAgent = operation({
  name: 'agent:agent-export',
  summary: "Writes an agent's code to a downloadable archive (.tgz): its sources, or the bundle as it runs",
  config: z.looseObject({ exportType: AgentExportType }),
})
