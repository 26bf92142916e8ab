/** Tools that read. Without samples, they return names, counts and groups, but no values. */
import * as z from 'zod'
import { Id } from '../../../schemas/kit/ids.ts'
import { type Edit, type ErrorGroup, KEY_METHODS } from '../../../schemas/quality/shape.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { MAX_SAMPLE_RECORDS } from '../../../schemas/threads/assistant.ts'
import { shortenRecord } from '../../mcp/results.ts'
import {
  bindsTo,
  defineTool,
  LISTENER_MESSAGE,
  loadBoundSheet,
  loadSheetOfSpace,
  noSamples,
  type ToolSession,
} from './tool.ts'

const MAX_GROUPS = 50
const MAX_OPTIONS = 50
const MAX_CLUSTERS = 100

export const listSheets = defineTool({
  name: 'list_sheets',
  description:
    'Lists the sheets of this conversation, and the sheets that were extracted from files and can be imported.',
  input: z.object({}),
  run: async (session) => {
    const { data } = await session.api({
      method: 'GET',
      path: '/workbooks',
      query: { spaceId: session.thread.spaceId, includeCounts: true },
    })
    const sheets = data.flatMap((workbook: { name: string; labels?: string[]; sheets: never[] }) =>
      workbook.sheets.map((sheet: never) => describeSheet(session, workbook, sheet)),
    )
    return { sheets: sheets.filter(Boolean) }
  },
})

function describeSheet(
  { thread }: ToolSession,
  { name: workbook, labels = [] }: { name: string; labels?: string[] },
  sheet: Parameters<typeof bindsTo>[1] & { recordCounts?: object },
) {
  const isFile = labels.includes('file')
  if (!isFile && !bindsTo(thread, sheet)) return undefined
  return { sheetId: sheet.id, name: sheet.name, workbook, isFile, records: sheet.recordCounts }
}

export const getSheet = defineTool({
  name: 'get_sheet',
  description: 'Reads the fields of a sheet with their types and constraints, and counts records and errors by field.',
  input: z.object({ sheetId: Id }),
  run: async (session, { sheetId }) => {
    const { name, lockedAt, config } = await loadSheetOfSpace(session, sheetId)
    const path = `/sheets/${sheetId}/counts`
    const { data } = await session.api({ method: 'GET', path, query: { byField: true } })
    const fields = config.fields.map((field) => ({
      ...{ key: field.key, label: field.label, type: field.type, constraints: field.constraints },
      options: listOptions(field),
      counts: data.counts.byField?.[field.key],
    }))
    const { total, valid, error } = data.counts
    return { name, isLocked: lockedAt !== undefined, records: { total, valid, error }, fields }
  },
})

function listOptions(field: Field): unknown[] | undefined {
  if (field.type !== 'enum' && field.type !== 'enum-list') return undefined
  return field.config.options.slice(0, MAX_OPTIONS).map(({ value }) => value)
}

export const listErrors = defineTool({
  name: 'list_errors',
  description:
    'Lists groups of errors of a sheet, largest first. Pass a `fix`, or the right alternative of a `question`, to propose_fix.',
  input: z.object({ sheetId: Id, fieldKey: z.string().optional() }),
  run: async (session, { sheetId, fieldKey }) => {
    await loadBoundSheet(session, sheetId)
    const query = { fieldKey, pageSize: MAX_GROUPS }
    const { data } = await session.api<{ data: ErrorGroup[] }>({
      method: 'GET',
      path: `/sheets/${sheetId}/quality`,
      query,
    })
    return { groups: data.map((group) => describeGroup(session, sheetId, group)) }
  },
})

function describeGroup(session: ToolSession, sheetId: string, group: ErrorGroup): object {
  const { fieldKey, source, message, count, fix, question } = group
  return {
    fieldKey,
    count,
    message: source === LISTENER_MESSAGE ? 'A listener reports an error.' : message,
    ...(fix ? { fix: rememberFix(session, sheetId, fix) } : {}),
    ...(question
      ? {
          question: {
            about: question.about,
            alternatives: question.alternatives.map((edit) => rememberFix(session, sheetId, edit)),
          },
        }
      : {}),
  }
}

function rememberFix({ fixes }: ToolSession, sheetId: string, edit: Edit) {
  const fix = `fix-${fixes.size + 1}`
  fixes.set(fix, { sheetId, edit })
  return { fix, ...describeEdit(edit) }
}

/** How texts are read, without the texts of the column that a reading can name. */
function describeEdit(edit: Edit): object {
  if (edit.type === 'replace') return { type: edit.type, replacements: edit.replacements.length }
  if (edit.type === 'split') return { type: edit.type, separator: edit.separator }
  const { reading } = edit
  if (reading.type === 'date') return { type: edit.type, orders: reading.orders }
  return { type: edit.type, ...('decimalMark' in reading ? { decimalMark: reading.decimalMark } : {}) }
}

export const findSimilar = defineTool({
  name: 'find_similar_values',
  description: 'Counts the spellings of the same values in a text field. Pass `fix` to propose_fix to unite them.',
  input: z.object({ sheetId: Id, fieldKey: z.string(), method: z.enum(KEY_METHODS).optional() }),
  run: async (session, { sheetId, ...query }) => {
    await loadBoundSheet(session, sheetId)
    const path = `/sheets/${sheetId}/quality/clusters`
    const { data } = await session.api({ method: 'GET', path, query: { ...query, pageSize: MAX_CLUSTERS } })
    if (data.length === 0) return { values: 0 }
    const replacements = data.flatMap(({ fix }: { fix: { replacements: object[] } }) => fix.replacements)
    const edit = { type: 'replace', fieldKey: query.fieldKey, replacements } as Edit
    return { values: data.length, spellings: replacements.length, ...rememberFix(session, sheetId, edit) }
  },
})

export const readSample = defineTool({
  name: 'read_sample',
  description: 'Reads some records with their ids, values and errors. Few can be read for each message.',
  input: z.object({
    sheetId: Id,
    count: z.number().int().min(1).max(MAX_SAMPLE_RECORDS),
    filter: z.enum(['valid', 'error', 'all']).optional(),
    q: z.string().optional().describe('FFQL query, such as `age gte 18 and email is error`.'),
  }),
  readsRecords: true,
  run: async (session, { sheetId, count, ...query }) => {
    await loadSheetOfSpace(session, sheetId)
    const pageSize = Math.min(count, session.samplesLeft)
    if (pageSize === 0) throw noSamples()
    session.samplesLeft -= pageSize
    const path = `/sheets/${sheetId}/records`
    const { data } = await session.api({ method: 'GET', path, query: { ...query, pageSize } })
    return { records: data.records.map(shortenRecord), samplesLeft: session.samplesLeft }
  },
})
