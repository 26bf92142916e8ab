/** The job operations the platform itself performs; every other one is performed by a listener or an agent. */
import * as z from 'zod'
import { AgentExportType } from './agent.ts'
import { free, narrowing, scoped } from './ids.ts'
import { RULES_PER_PROGRAM } from './mapping-rule.ts'
import { operation } from './operation.ts'
import { maybe } from './optional.ts'
import { CellValue } from './record-input.ts'
import { IDS_PER_CALL, QUERY_CHARACTERS } from './selection.ts'

/** What becomes of the value of merged cells, as public extractors name it: it fills them all, or stays where it stands. */
const MergedCells = maybe(z.strictObject({ treatment: z.enum(['applyToAll', 'applyToTopLeft']) }))
const MergedCellOptions = z.strictObject({
  /** Of cells merged within a row. */
  acrossColumns: MergedCells,
  /** Within a column. */
  acrossRows: MergedCells,
  /** Over rows and columns. */
  acrossRanges: MergedCells,
})
export type MergedCellOptions = Partial<z.output<typeof MergedCellOptions>>

const HeaderRow = z.number().int().min(0).max(200)

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
        /** Of workbooks; merged cells have their value in the first of them unless told. */
        mergedCellOptions: maybe(MergedCellOptions),
        /** Of workbooks, by the name of a sheet: its header row, where it is another than that of every sheet. */
        headerRows: maybe(z.record(z.string(), HeaderRow)),
      }),
    ),
    /** Of text and workbooks: the row that names the columns, from 1; 0 for none. */
    detectedHeaderRow: maybe(HeaderRow),
  }),
})

export const map = operation({
  name: 'workbook:map',
  summary: "Copies one sheet's records into another by a plan of which field fills which, or by rules",
  config: z.looseObject({
    sourceSheetId: scoped('sheet'),
    destinationSheetId: scoped('sheet'),
    /** In place of suggestions: rules as of a mapping program. */
    mappingRules: maybe(z.array(z.looseObject({})).max(RULES_PER_PROGRAM)),
    /** In place of suggestions: the rules of a saved program. */
    programId: maybe(scoped('program')),
    /** Suggests for what the rules leave, and again for fields that are others when the job begins. */
    canRecompute: maybe(z.boolean()),
  }),
})

/** Which records of a sheet a job means, as in a query of a list: `ids` alone these, with anything else all but these. */
const chosen = {
  filter: maybe(z.enum(['valid', 'error', 'all', 'none'])),
  filterField: maybe(z.string()),
  searchValue: maybe(z.string()),
  searchField: maybe(z.string()),
  q: maybe(z.string().max(QUERY_CHARACTERS)),
  ids: maybe(z.array(narrowing('record'))),
}
const snapshot = {
  /** A snapshot with this name is taken first. */
  snapshotLabel: maybe(z.string().max(500)),
  /** The snapshot that was taken. */
  snapshotId: maybe(free('written by the platform when it took the snapshot, and read by nothing')),
}

export const deleteRecords = operation({
  name: 'workbook:delete-records',
  also: ['sheet:delete-records'],
  summary:
    "Deletes a sheet's records: those a filter selects but for the exceptions, or with `filter: none` just the exceptions",
  config: z.looseObject({
    sheet: scoped('sheet'),
    ...chosen,
    exceptions: maybe(z.array(narrowing('record'))),
    ...snapshot,
  }),
})

export const mutateRecords = operation({
  name: 'workbook:mutate-records',
  also: ['sheet:mutate-records'],
  summary: 'Changes records by a JavaScript function of one record, run apart from everything else',
  config: z.looseObject({
    sheetId: scoped('sheet'),
    /** Text of the function: it is given a record and returns it changed. */
    mutateRecord: z.string().min(1),
    /** What made the function, where something did. */
    mutationId: maybe(free('the name of what made the function, for its client', z.string())),
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
    sheetId: maybe(scoped('sheet')),
    fieldKey: z.string().min(1),
    find: CellValue.optional(),
    replace: CellValue.optional(),
    ...chosen,
    ...snapshot,
  }),
})

export const EXPORT_FORMATS = ['csv', 'xlsx', 'json', 'jsonl'] as const

/** Which records leave, and how. */
export const ExportOptions = z.looseObject({
  format: z
    .enum(EXPORT_FORMATS)
    .nullish()
    .transform((format) => format ?? 'xlsx'),
  filter: maybe(z.enum(['valid', 'error', 'all', 'none'])),
  filterField: maybe(z.string()),
  searchValue: maybe(z.string()),
  searchField: maybe(z.string()),
  sortField: maybe(z.string()),
  sortDirection: maybe(z.enum(['asc', 'desc'])),
  q: maybe(z.string().max(QUERY_CHARACTERS)),
  ids: maybe(z.array(narrowing('record')).max(IDS_PER_CALL)),
  commitId: maybe(scoped('commit')),
  versionId: maybe(scoped('commit')),
  /** Keys of the fields to leave out. */
  excludeFields: maybe(z.array(z.string()).max(500)),
  /** In CSV, texts that a spreadsheet would run as formulas get an apostrophe. Default true. */
  escapeFormulas: maybe(z.boolean()),
  /** A report of errors: records with an error, unless a filter says else, and a last column with their messages. */
  errors: maybe(z.boolean()),
  /** Without its extension; the sheet's or workbook's name unless told. */
  fileName: maybe(z.string().trim().min(1).max(200)),
})
export type ExportOptions = z.output<typeof ExportOptions>

export const exportSheet = operation({
  name: 'sheet:export',
  summary: "Writes a sheet's records to a file of the space: XLSX, CSV, JSON or JSON lines",
  config: z.looseObject({ options: ExportOptions }),
})

export const exportWorkbook = operation({
  name: 'workbook:export',
  summary:
    'Writes the sheets of a workbook to a file of the space: one XLSX or JSON file, or a ZIP archive of the others',
  config: z.looseObject({
    options: ExportOptions,
    /** Only these sheets; all of them unless told. */
    sheets: maybe(z.array(scoped('sheet')).min(1)),
  }),
})

export const exportAgent = operation({
  name: 'agent:agent-export',
  summary: "Writes an agent's code to an archive (.tgz), to be downloaded: its sources, or the bundle as it runs",
  config: z.looseObject({ exportType: AgentExportType }),
})
