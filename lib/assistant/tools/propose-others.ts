import * as z from 'zod'
import { Id } from '../../../schemas/kit/ids.ts'
import * as tools from '../../../schemas/mcp/changes.ts'
import { Constraint } from '../../../schemas/sheets/fields.ts'
import { MAX_PROPOSAL_EXAMPLES, type ProposalExample } from '../../../schemas/threads/assistant.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { RefusedError } from '../../mcp/api.ts'
import { importFile } from '../../mcp/changes/import.ts'
import { withConstraints } from '../../workbooks/constraints.ts'
import { assertRules } from '../../workbooks/rules.ts'
import {
  addDraft,
  defineTool,
  loadBoundSheet,
  loadSheetOfSpace,
  NOTHING_CHANGES,
  reason,
  type ToolSession,
} from './tool.ts'

interface Column {
  sourceFields: string[]
  destinationField: string
  converted: number
  unreadable: number
  examples: { converted: ProposalExample[] }
}

export const proposeImport = defineTool({
  name: 'propose_import',
  description:
    'Proposes importing a sheet that was extracted from a file into a sheet, with the suggested mapping unless `mapping` or `rules` say otherwise. ' +
    '`unreadable` counts values that would be errors. Ask the person about a question, and pass the chosen alternative in `readings`.',
  input: tools.importFile.input.extend({ reason }),
  run: async (session, { reason: why, ...args }) => {
    await loadSheetOfSpace(session, args.sourceSheetId)
    const sheet = await loadBoundSheet(session, args.destinationSheetId)
    const { shown, change } = await importFile.preview(session.api, args)
    const { jobId, columns, counts } = shown as { jobId: string; columns: Column[]; counts: Record<string, unknown> }
    const mapped = columns.map(({ sourceFields, destinationField, converted, unreadable }) => ({
      ...{ sourceFields, destinationField, converted, unreadable },
    }))
    const proposed = addDraft(session, {
      ...{ kind: 'import', sheetId: sheet.id, sheetName: sheet.name, reason: why, jobId },
      fields: columns.map(({ destinationField }) => destinationField),
      preview: {
        counts: Object.fromEntries(
          Object.entries(counts).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
        ),
        examples: columns
          .flatMap(({ destinationField: field, examples }) =>
            examples.converted.slice(0, 1).map((one) => ({ field, ...one })),
          )
          .slice(0, MAX_PROPOSAL_EXAMPLES),
        details: { columns: mapped },
      },
      change: { type: 'request', request: change!.request },
    })
    return { ...proposed, columns: mapped, questions: describeQuestions(shown) }
  },
})

function describeQuestions(shown: object) {
  const { questions = [] } = shown as {
    questions?: { sourceField: string; question: { about: string; alternatives: Record<string, unknown>[] } }[]
  }
  return questions.map(({ sourceField, question: { about, alternatives } }) => ({
    sourceField,
    about,
    alternatives: alternatives.map(
      ({ emptyTexts: _, trueTexts: __, falseTexts: ___, units: ____, zeroTexts: _____, ...reading }) => reading,
    ),
  }))
}

const selection = { filter: z.enum(['valid', 'error', 'all']).optional(), q: z.string().optional() }

export const proposeMutation = defineTool({
  name: 'propose_mutation',
  description:
    'Proposes a JavaScript function that changes each record, such as `(record) => record.set("email", String(record.get("email") ?? "").toLowerCase())`. Use it only for what the other tools cannot do.',
  input: z.object({ sheetId: Id, mutateRecord: z.string().min(1).max(10_000), ...selection, reason }),
  run: async (session, { reason: why, ...config }) => {
    const sheet = await loadBoundSheet(session, config.sheetId)
    const unchangedSince = await readVersion(session, sheet)
    const changed = await previewMutation(session, config)
    if (changed.length === 0) return NOTHING_CHANGES
    const examples = changed.flatMap(({ values }) =>
      Object.entries(values).flatMap(([field, { value: after, snapshotValue: before }]) =>
        JSON.stringify(after) === JSON.stringify(before) ? [] : [{ field, before, after }],
      ),
    )
    const body = { type: 'workbook', operation: 'mutate-records', source: sheet.workbookId, config }
    return addDraft(session, {
      ...{ kind: 'mutation', sheetId: sheet.id, sheetName: sheet.name, reason: why },
      fields: [...new Set(examples.map(({ field }) => field))],
      preview: {
        counts: { previewedRecords: changed.length },
        examples: examples.slice(0, MAX_PROPOSAL_EXAMPLES),
        details: { mutateRecord: config.mutateRecord },
      },
      change: {
        type: 'request',
        request: { method: 'POST', path: '/jobs', body: { ...body, trigger: 'immediate', mode: 'background' } },
        unchangedSince,
      },
    })
  },
})

type ChangedRecord = { values: Record<string, { value: unknown; snapshotValue: unknown }> }

/** The error of a function can contain values, because it is chosen by the function. */
async function previewMutation({ api }: ToolSession, config: object): Promise<ChangedRecord[]> {
  try {
    return (await api({ method: 'POST', path: '/jobs/preview-mutation', body: config })).data
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status === 403) throw error
    throw new RefusedError('The function is not valid JavaScript, or failed at a record.')
  }
}

export const readVersion = async ({ api }: Pick<ToolSession, 'api'>, { id }: { id: string }): Promise<string> =>
  (await api({ method: 'GET', path: `/sheets/${id}/records`, query: { pageSize: 1 } })).data.versionId

export const proposeConstraint = defineTool({
  name: 'propose_constraint',
  description:
    'Proposes adding or removing a constraint of a field, such as `{"type":"required"}`, `{"type":"unique"}`, `{"type":"email"}` or `{"type":"range","config":{"min":0}}`. Returns how many records have errors before and after.',
  input: z.object({
    sheetId: Id,
    fieldKey: z.string(),
    action: z.enum(['add', 'remove']),
    constraint: z.looseObject({ type: z.string() }).describe('To remove a constraint, only its type.'),
    reason,
  }),
  run: async (session, { sheetId, fieldKey, action, constraint, reason: why }) => {
    const sheet = await loadBoundSheet(session, sheetId)
    const field = sheet.config.fields.find(({ key }) => key === fieldKey)
    if (!field) throw new RefusedError(`The sheet has no field ${fieldKey}.`)
    const before = field.constraints ?? []
    const others = before.filter(({ type }) => type !== constraint.type)
    const after = action === 'remove' ? others : [...others, parseConstraint(constraint)]
    if (JSON.stringify(after) === JSON.stringify(before)) return NOTHING_CHANGES
    const changedSheet = withConstraints(sheet, fieldKey, after)
    await assertRules([changedSheet.config])
    const [current, changed] = await Promise.all([countErrors(session, sheet), countErrors(session, changedSheet)])
    const problem = changed.problems.find((one: { field?: string }) => one.field === fieldKey)
    return addDraft(session, {
      ...{ kind: 'constraint', sheetId, sheetName: sheet.name, fields: [fieldKey], reason: why },
      preview: {
        counts: {
          records: changed.records,
          errorsBefore: current.recordsWithErrors,
          errorsAfter: changed.recordsWithErrors,
        },
        examples: (problem?.examples ?? [])
          .slice(0, MAX_PROPOSAL_EXAMPLES)
          .map((value: unknown) => ({ field: fieldKey, before: value, after: problem.message })),
        details: { action, constraint },
      },
      change: { type: 'constraints', fieldKey, before, after },
    })
  },
})

const UNSUPPORTED: readonly string[] = ['external', 'stored', 'computed']

function parseConstraint(input: { type: string }): Constraint {
  const { data, error } = Constraint.safeParse(input)
  if (!data || UNSUPPORTED.includes(data.type))
    throw new RefusedError(`This is not a constraint of a field: ${error?.issues[0]?.message ?? input.type}`)
  return data
}

const countErrors = async ({ api }: ToolSession, { id, config }: Pick<StoredSheet, 'id' | 'config'>) =>
  (
    await api({
      method: 'POST',
      path: `/sheets/${id}/check-fields`,
      body: { fields: config.fields, constraints: config.constraints },
    })
  ).data
