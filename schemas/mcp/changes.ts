/**
 * The inputs of the tools that preview a change. Nothing is changed until the preview is applied or handed to a person for
 * approval.
 */
import * as z from 'zod'
import { Id, narrowing, scoped } from '../kit/ids.ts'
import { Edit, Merge } from '../quality/shape.ts'
import { CellValue } from '../records/input.ts'
import { MAX_IDS_PER_CALL, MAX_QUERY_LENGTH } from '../records/selection.ts'
import { FieldKey } from '../sheets/fields.ts'

export const PREVIEW_MINUTES = 60
export const MAX_NEW_RECORDS = 1000
export const MAX_CHANGED_RECORDS = MAX_IDS_PER_CALL
export const MAX_UPLOADED_TEXT = 3_000_000
/** In characters. Longer results are cut after a record, and say so. */
export const MAX_RESULT_LENGTH = 40_000

const sheetId = scoped('sheet')
const values = z.record(FieldKey, CellValue).describe('Values by field key; null clears the cell.')
const selection = {
  filter: z.enum(['valid', 'error', 'all']).optional().describe('Only records with this status.'),
  q: z.string().max(MAX_QUERY_LENGTH).optional().describe('FFQL query that selects the records.'),
  ids: z
    .array(narrowing('record'))
    .max(MAX_IDS_PER_CALL)
    .optional()
    .describe('Only records with these ids; with `filter` or `q`, all selected records except these.'),
}

export interface ChangeTool {
  name: string
  title: string
  description: string
  input: z.ZodObject
}

const changeTool = <const T extends ChangeTool>(tool: T): T => tool

export const edit = changeTool({
  name: 'preview_edit',
  title: 'Preview an edit of values',
  description:
    'Previews an edit of the values of one field: `read` reads texts as values of the type of the field, `split` splits texts into lists, `replace` replaces whole values.',
  input: z.object({ sheetId, edit: Edit, ...selection }),
})

export const replaceText = changeTool({
  name: 'preview_replace_text',
  title: 'Preview a replacement of text',
  description: 'Previews replacing a text wherever it occurs in the values of a field, ignoring case.',
  input: z.object({
    sheetId,
    fieldKey: FieldKey.optional().describe('The field; all fields by default.'),
    find: z.string().describe('In double quotes it matches whole values; `""` matches empty cells.'),
    replace: CellValue.describe('The new text; null clears the cell.'),
    ...selection,
  }),
})

export const setValues = changeTool({
  name: 'preview_set_values',
  title: 'Preview setting values of all selected records',
  description: 'Previews setting the same values in every selected record.',
  input: z.object({ sheetId, values, ...selection }),
})

export const updateRecords = changeTool({
  name: 'preview_update_records',
  title: 'Preview an update of records',
  description: `Previews new values of single records, at most ${MAX_CHANGED_RECORDS}. Other cells stay.`,
  input: z.object({
    sheetId,
    records: z
      .array(z.object({ id: narrowing('record'), values }))
      .min(1)
      .max(MAX_CHANGED_RECORDS),
  }),
})

export const addRecords = changeTool({
  name: 'preview_add_records',
  title: 'Preview new records',
  description: `Previews adding records, at most ${MAX_NEW_RECORDS}. Use preview_import for the records of a file.`,
  input: z.object({ sheetId, records: z.array(values).min(1).max(MAX_NEW_RECORDS) }),
})

export const deleteRecords = changeTool({
  name: 'preview_delete_records',
  title: 'Preview a deletion of records',
  description: `Previews deleting records by id, at most ${MAX_CHANGED_RECORDS}.`,
  input: z.object({ sheetId, ids: z.array(narrowing('record')).min(1).max(MAX_CHANGED_RECORDS) }),
})

export const mergeRecords = changeTool({
  name: 'preview_merge',
  title: 'Preview a merge of duplicates',
  description:
    'Previews merging duplicate records: `keep` gets the chosen `values` of the records in `remove`, which are deleted.',
  input: z.object({ sheetId, merges: z.array(Merge).min(1).max(MAX_CHANGED_RECORDS) }),
})

export const createMissing = changeTool({
  name: 'preview_missing_records',
  title: 'Preview creating missing referenced records',
  description: 'Previews creating the records that a reference field names and the referenced sheet lacks.',
  input: z.object({ sheetId, fieldKey: FieldKey }),
})

export const importFile = changeTool({
  name: 'preview_import',
  title: 'Preview an import',
  description:
    'Previews importing the records of an extracted sheet into a sheet, with the suggested mapping: how each column is read, questions that a person must decide, and counts. ' +
    'Creates a mapping job, and with `mapping` or `readings` changes its plan. Without `readings`, values with two meanings stay as they are, with an error.',
  input: z.object({
    sourceSheetId: scoped('sheet').describe('Sheet of the workbook that was extracted from the file.'),
    destinationSheetId: scoped('sheet'),
    mapping: z
      .array(z.object({ sourceField: z.string(), destinationField: FieldKey }))
      .optional()
      .describe('Replaces the suggested assignment of columns to fields.'),
    readings: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('By source column: the alternative of its `question` that the person chose.'),
    rules: z
      .array(z.looseObject({ type: z.string() }))
      .max(100)
      .optional()
      .describe(
        'Mapping rules for fields that need more than one column, such as `{"type":"concatenate","config":{"sourceFields":["first","last"],"separator":" ","destinationField":"name"}}`. Other fields get the suggested mapping.',
      ),
    importMode: z.enum(['add', 'update', 'upsert', 'replace']).optional().describe('`add` by default.'),
    keyFields: z
      .array(FieldKey)
      .optional()
      .describe('Fields of the destination that identify a record, for update and upsert.'),
  }),
})

export const undo = changeTool({
  name: 'preview_undo',
  title: 'Preview an undo',
  description: 'Previews undoing a commit: created records are deleted, updated ones get their old values back.',
  input: z.object({ commitId: scoped('commit') }),
})

export const createSpace = changeTool({
  name: 'preview_space',
  title: 'Preview a new space',
  description: 'Previews creating a space for an import project.',
  input: z.object({ environmentId: scoped('environment').optional(), name: z.string().trim().min(1).max(500) }),
})

/** Short, because models read it with every request; the endpoint validates the whole configuration. */
const NewField = z.looseObject({
  key: FieldKey,
  type: z.enum([
    'string',
    'number',
    'boolean',
    'date',
    'enum',
    'enum-list',
    'string-list',
    'reference',
    'reference-list',
  ]),
  label: z.string().optional(),
  description: z.string().optional(),
  constraints: z
    .array(z.looseObject({ type: z.string() }))
    .optional()
    .describe(
      'Such as `{"type":"required"}`, `{"type":"unique"}`, `{"type":"email"}` or `{"type":"range","config":{"min":0}}`.',
    ),
  config: z
    .looseObject({})
    .optional()
    .describe(
      'For an enum `{"options":[{"value":"red"}]}`, for a reference `{"ref":"<sheet slug>","key":"<field key>"}`.',
    ),
})
const NewSheet = z.looseObject({ name: z.string(), slug: z.string().optional(), fields: z.array(NewField).min(1) })

export const createWorkbook = changeTool({
  name: 'preview_workbook',
  title: 'Preview a new workbook',
  description: 'Previews creating a workbook with typed sheets in a space.',
  input: z.object({
    spaceId: scoped('space'),
    name: z.string().trim().min(1).max(500),
    sheets: z.array(NewSheet).min(1).max(20),
  }),
})

export const CHANGE_TOOLS: readonly ChangeTool[] = [
  edit,
  replaceText,
  setValues,
  updateRecords,
  addRecords,
  deleteRecords,
  mergeRecords,
  createMissing,
  importFile,
  undo,
  createSpace,
  createWorkbook,
]

export const uploadFile = {
  name: 'upload_file',
  title: 'Upload a file',
  description:
    'Uploads a text file (CSV, TSV, JSON, XML) into a space and waits up to 20 seconds for its extraction. The customer data of the space is unchanged. For other or larger files, ask the person to drop them into the application.',
  input: z.object({
    spaceId: scoped('space'),
    name: z.string().trim().min(1).max(255).describe('File name with its ending, such as people.csv.'),
    text: z.string().min(1).max(MAX_UPLOADED_TEXT),
  }),
}

export const applyChange = {
  name: 'apply_change',
  title: 'Apply a previewed change',
  description:
    'Applies a previewed change exactly as previewed, as one commit that preview_undo can undo. Refused if the sheet changed since the preview. Applying twice changes nothing more.',
  input: z.object({ previewId: Id }),
}

export const proposeChange = {
  name: 'propose_change',
  title: 'Hand a previewed change to a person for approval',
  description:
    'Puts the records of a previewed edit, replacement or update into a data clip with the new values. The sheet changes only when a person merges the clip in the application; get_data_clip says when.',
  input: z.object({
    previewId: Id,
    name: z.string().trim().min(1).max(500).describe('Name of the data clip, shown to the person.'),
    description: z.string().max(5000).optional().describe('Why the changes are right, for the person.'),
    collaborators: z.array(z.string().max(254)).max(20).optional().describe('Email addresses or ids of the people.'),
  }),
}
