/** Endpoints for the data quality of a sheet: groups of errors, and edits of all records with the same values. */
import * as z from 'zod'
import { LARGE_BODY_BYTES } from '../kit/byte-limits.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id } from '../kit/ids.ts'
import { data, paged, pageQuery } from '../kit/page.ts'
import { readParams, selectionParams, writeParams } from '../records/selection.ts'
import { FieldKey } from '../sheets/fields.ts'
import { MAX_EXAMPLES_PER_GROUP, MAX_QUALITY_GROUPS } from './limits.ts'
import { Edit, EditPreview, ErrorGroup } from './shape.ts'

const params = z.object({ sheetId: Id })
const at = 'params.sheetId'
const example = { params: { sheetId: '{sheetId}' } }
const read = { can: 'records:read', on: 'sheet', at } as const
const write = { can: 'records:write', on: 'sheet', at } as const

export const groups = endpoint({
  id: 'quality.groups',
  method: 'GET',
  path: '/sheets/{sheetId}/quality',
  summary: 'Groups the errors of a sheet by field, message and pattern of the value, largest group first',
  description:
    'In a pattern, `9` is a run of digits, `a` of lower-case letters and `A` of upper-case letters; other characters stay. ' +
    `Each group has up to ${MAX_EXAMPLES_PER_GROUP} records with different values. \`fix\` is an edit that can be previewed and applied; \`question\` has one edit for each reading of ambiguous values. ` +
    `Beyond ${MAX_QUALITY_GROUPS.toLocaleString('en')} groups, the other errors of a field and source count in one group without pattern and message.`,
  policy: read,
  params,
  query: z.object({
    ...readParams,
    fieldKey: FieldKey.optional(),
    level: z.enum(['error', 'warn', 'info']).default('error'),
    ...pageQuery(100),
  }),
  reply: paged(ErrorGroup),
  also: ['large'],
  example,
})

export const previewEdit = endpoint({
  id: 'quality.previewEdit',
  method: 'POST',
  path: '/sheets/{sheetId}/quality/preview-edit',
  summary: 'Previews an edit: the values before and after with their counts, most frequent first',
  description:
    '`read` reads the texts of a field as values of its type, `split` splits texts into lists, `replace` replaces whole values. ' +
    '`read` and `split` change only what becomes a valid value. Rules that compare records are not checked.',
  policy: read,
  params,
  query: z.object({ ...selectionParams, ...pageQuery(100) }),
  body: Edit,
  reply: data(EditPreview),
  also: ['large'],
  bodyBytes: LARGE_BODY_BYTES,
  example: {
    ...example,
    body: { type: 'replace', fieldKey: 'email', replacements: [{ from: 'ada@example.com', to: 'ada@example.org' }] },
  },
})

export const edit = endpoint({
  id: 'quality.edit',
  method: 'POST',
  path: '/sheets/{sheetId}/quality/edit',
  summary: 'Applies an edit to all selected records, as one commit',
  description:
    'With the `version` of a preview, a sheet that changed since is left unchanged, and the response is 409.',
  policy: write,
  params,
  query: z.object({ ...selectionParams, ...writeParams }),
  body: z.strictObject({ edit: Edit, version: z.number().int().min(0).optional() }),
  reply: data(
    z.object({
      success: z.literal(true),
      updated: z.number().int(),
      commitId: Id.optional(),
      versionId: Id.optional(),
    }),
  ),
  errors: ['conflict'],
  bodyBytes: LARGE_BODY_BYTES,
  example: {
    ...example,
    body: {
      edit: { type: 'replace', fieldKey: 'email', replacements: [{ from: 'ada@example.com', to: 'ada@example.org' }] },
    },
  },
})
