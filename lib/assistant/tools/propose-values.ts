import * as z from 'zod'
import { Id } from '../../../schemas/kit/ids.ts'
import * as tools from '../../../schemas/mcp/changes.ts'
import { KEY_METHODS } from '../../../schemas/quality/shape.ts'
import { MAX_PROPOSAL_EXAMPLES, type ProposalExample, type ProposalKind } from '../../../schemas/threads/assistant.ts'
import { RefusedError } from '../../mcp/api.ts'
import type { ChangeDefinition } from '../../mcp/changes/change.ts'
import * as records from '../../mcp/changes/records.ts'
import * as values from '../../mcp/changes/values.ts'
import { addDraft, defineTool, loadBoundSheet, NOTHING_CHANGES, reason, type ToolSession } from './tool.ts'

const MAX_MERGES = 100

interface Description {
  counts: Record<string, number>
  examples: ProposalExample[]
}

interface Request {
  kind: ProposalKind
  definition: ChangeDefinition
  args: Record<string, unknown> & { sheetId: string }
  fields: string[]
  reason: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: previews have the types of their endpoints
  describe(shown: any): Description
}

async function propose(session: ToolSession, { kind, definition, args, describe, ...draft }: Request) {
  const { id: sheetId, name: sheetName } = await loadBoundSheet(session, args.sheetId)
  const { shown, change } = await definition.preview(session.api, args)
  if (!change) return NOTHING_CHANGES
  const { counts, examples } = describe(shown)
  const preview = { counts, examples: examples.slice(0, MAX_PROPOSAL_EXAMPLES) }
  return addDraft(session, {
    ...draft,
    kind,
    sheetId,
    sheetName,
    preview,
    change: { type: 'request', request: change.request },
  })
}

const describeEdit = ({
  records,
  values: cells,
  changes,
}: {
  records: number
  values: number
  changes: ProposalExample[]
}) => ({
  counts: { records, values: cells },
  examples: changes.map(({ before, after }) => ({ before, after })),
})

type Change = Record<string, { before: unknown; after: unknown }>

const listExamples = (changes: Change[]): ProposalExample[] =>
  changes.flatMap((change) => Object.entries(change).map(([field, { before, after }]) => ({ field, before, after })))

export const proposeFix = defineTool({
  name: 'propose_fix',
  description: 'Proposes a fix that list_errors or find_similar_values returned.',
  input: z.object({ fix: z.string(), reason }),
  run: async (session, args) => {
    const found = session.fixes.get(args.fix)
    if (!found) throw new RefusedError(`There is no fix ${args.fix}. List the errors first.`)
    const { sheetId, edit } = found
    return propose(session, {
      ...{ kind: 'edit', definition: values.edit, args: { sheetId, edit }, reason: args.reason },
      fields: [edit.fieldKey],
      describe: describeEdit,
    })
  },
})

export const proposeEdit = defineTool({
  name: 'propose_edit',
  description: tools.edit.description.replace('Previews', 'Proposes'),
  input: tools.edit.input.omit({ ids: true }).extend({ reason }),
  run: (session, { reason: why, ...args }) =>
    propose(session, {
      ...{ kind: 'edit', definition: values.edit, args, fields: [args.edit.fieldKey], reason: why },
      describe: describeEdit,
    }),
})

export const proposeReplaceText = defineTool({
  name: 'propose_replace_text',
  description: tools.replaceText.description.replace('Previews', 'Proposes'),
  input: tools.replaceText.input.omit({ ids: true }).extend({ reason }),
  run: (session, { reason: why, ...args }) =>
    propose(session, {
      ...{ kind: 'replace-text', definition: values.replaceText, args, reason: why },
      fields: args.fieldKey === undefined ? [] : [args.fieldKey],
      describe: ({ cells, changes }) => ({
        counts: { values: cells },
        examples: changes.map((change: { fieldKey: string; before: unknown; after: unknown }) => ({
          ...{ field: change.fieldKey, before: change.before, after: change.after },
        })),
      }),
    }),
})

export const proposeSetValues = defineTool({
  name: 'propose_set_values',
  description: tools.setValues.description.replace('Previews', 'Proposes'),
  input: tools.setValues.input.omit({ ids: true }).extend({ reason }),
  run: (session, { reason: why, ...args }) =>
    propose(session, {
      ...{ kind: 'set-values', definition: values.setValues, args, fields: Object.keys(args.values), reason: why },
      describe: ({ records: count, before }) => ({
        counts: { records: count },
        examples: before.flatMap((record: { values: Record<string, unknown> }) =>
          Object.entries(args.values).map(([field, after]) => ({ field, before: record.values[field] ?? null, after })),
        ),
      }),
    }),
})

export const proposeUpdate = defineTool({
  name: 'propose_update_records',
  description: tools.updateRecords.description.replace('Previews', 'Proposes'),
  input: tools.updateRecords.input.extend({ reason }),
  readsRecords: true,
  run: (session, { reason: why, ...args }) =>
    propose(session, {
      ...{ kind: 'update-records', definition: records.updateRecords, args, reason: why },
      fields: [...new Set(args.records.flatMap((record) => Object.keys(record.values)))],
      describe: ({ records: changed }) => ({
        counts: { records: changed.length },
        examples: listExamples(changed.map((record: { values: Change }) => record.values)),
      }),
    }),
})

export const proposeMerge = defineTool({
  name: 'propose_merge_duplicates',
  description: `Proposes merging the records that are equal in the given fields, at most ${MAX_MERGES} groups.`,
  input: z.object({
    sheetId: Id,
    fields: z.array(z.string()).min(1).max(10),
    method: z.enum(KEY_METHODS).optional(),
    reason,
  }),
  run: async (session, { sheetId, fields, method, reason: why }) => {
    await loadBoundSheet(session, sheetId)
    const query = { fields, method, pageSize: MAX_MERGES }
    const { data } = await session.api({ method: 'GET', path: `/sheets/${sheetId}/quality/duplicates`, query })
    if (data.length === 0) return NOTHING_CHANGES
    const merges = data.map(({ merge }: { merge: object }) => merge)
    return propose(session, {
      ...{ kind: 'merge', definition: records.mergeRecords, args: { sheetId, merges }, fields, reason: why },
      describe: (shown) => ({
        counts: { records: shown.records, deleted: shown.deleted },
        examples: listExamples(shown.merges.map((merge: { values: Change }) => merge.values)),
      }),
    })
  },
})

export const proposeMissing = defineTool({
  name: 'propose_missing_records',
  description: tools.createMissing.description.replace('Previews', 'Proposes'),
  input: tools.createMissing.input.extend({ reason }),
  run: (session, { reason: why, ...args }) =>
    propose(session, {
      ...{ kind: 'create-missing', definition: records.createMissing, args, fields: [args.fieldKey], reason: why },
      describe: ({ values: missing }) => ({
        counts: { created: missing.length },
        examples: missing.map(({ value }: { value: unknown }) => ({ before: null, after: value })),
      }),
    }),
})
