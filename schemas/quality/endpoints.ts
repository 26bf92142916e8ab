import * as z from 'zod'
import { LARGE_BODY_BYTES } from '../kit/byte-limits.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id } from '../kit/ids.ts'
import { data, Pagination, paged, pageQuery, QueryList, QueryNumber } from '../kit/page.ts'
import { readParams, selectionParams, writeParams } from '../records/selection.ts'
import { FieldKey } from '../sheets/fields.ts'
import {
  MAX_CLUSTER_RADIUS,
  MAX_DUPLICATE_FIELDS,
  MAX_EXAMPLES_PER_GROUP,
  MAX_MERGES_PER_CALL,
  MAX_MISSING_RECORDS_PER_CALL,
  MAX_QUALITY_GROUPS,
  MAX_RECORDS_PER_DUPLICATE_GROUP,
} from './limits.ts'
import {
  CLUSTER_METHODS,
  Cluster,
  DuplicateGroup,
  DuplicateSearch,
  Edit,
  EditPreview,
  ErrorGroup,
  Merge,
  MergePreview,
  MissingValue,
} from './shape.ts'

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

const nearness = {
  method: z.enum(CLUSTER_METHODS).default('fingerprint'),
  radius: QueryNumber(1, MAX_CLUSTER_RADIUS).default(2),
}

export const clusters = endpoint({
  id: 'quality.clusters',
  method: 'GET',
  path: '/sheets/{sheetId}/quality/clusters',
  summary: 'Finds texts of a field that are probably the same value, those of most records first',
  description:
    '`fingerprint` ignores case, accents, punctuation and the order of words; `ngram` also spaces and repeated parts; `phonetic` compares how English speakers ' +
    'pronounce the words (Double Metaphone); `distance` allows `radius` inserted, deleted or replaced letters, at most one for every four characters, and requires ' +
    'equal digits. `fix` replaces the values by the suggested one.',
  policy: read,
  params,
  query: z.object({ ...readParams, fieldKey: FieldKey, ...nearness, ...pageQuery(100) }),
  reply: paged(Cluster),
  also: ['large'],
  errors: ['unprocessable'],
  example: { ...example, query: { fieldKey: 'email' } },
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

export const duplicates = endpoint({
  id: 'quality.duplicates',
  method: 'GET',
  path: '/sheets/{sheetId}/quality/duplicates',
  summary: 'Finds records that are probably the same: all `fields` have equal or near values',
  description:
    'Values are compared by one of the methods for clusters. Records with an empty value in one of the fields are not compared. ' +
    `Up to ${MAX_RECORDS_PER_DUPLICATE_GROUP} records of a group are returned, with a suggested \`merge\`.`,
  policy: read,
  params,
  query: z.object({
    ...readParams,
    fields: QueryList(MAX_DUPLICATE_FIELDS).pipe(z.array(FieldKey).min(1)),
    ...nearness,
    ...pageQuery(20, 100),
  }),
  reply: z.object({ data: z.array(DuplicateGroup), pagination: Pagination, version: z.number().int() }),
  also: ['large'],
  errors: ['unprocessable'],
  example: { ...example, query: { fields: ['email'] } },
})

const merges = z.array(Merge).min(1).max(MAX_MERGES_PER_CALL)
const mergeExample = { merges: [{ keep: '{recordId}', remove: ['us_rc_01KJM5Z8Q4T7W9XA2BCDEFGH3J'] }], version: 0 }

export const previewMerge = endpoint({
  id: 'quality.previewMerge',
  method: 'POST',
  path: '/sheets/{sheetId}/quality/preview-merge',
  summary: 'Previews merges: the changed values of the remaining records, and the deleted records',
  policy: read,
  params,
  body: z.strictObject({ merges, version: z.number().int().min(0).optional() }),
  reply: data(MergePreview),
  also: ['large'],
  errors: ['not-found', 'conflict'],
  bodyBytes: LARGE_BODY_BYTES,
  example: { ...example, body: mergeExample },
})

export const merge = endpoint({
  id: 'quality.merge',
  method: 'POST',
  path: '/sheets/{sheetId}/quality/merge',
  summary: 'Merges records, as one commit: `keep` gets the chosen `values` of the others, which are deleted',
  description:
    '`values` names, by field, the record whose value remains. `duplicates` says how the groups were found, so that a recipe can repeat the merge. With the `version` of a preview, a sheet that changed since is left unchanged, and the response is 409.',
  policy: write,
  params,
  query: z.object(writeParams),
  body: z.strictObject({
    merges,
    version: z.number().int().min(0).optional(),
    duplicates: DuplicateSearch.optional(),
  }),
  reply: data(
    z.object({
      success: z.literal(true),
      updated: z.number().int(),
      deleted: z.number().int(),
      commitId: Id.optional(),
      versionId: Id.optional(),
    }),
  ),
  errors: ['not-found', 'conflict'],
  bodyBytes: LARGE_BODY_BYTES,
  example: { ...example, body: mergeExample },
})

export const missing = endpoint({
  id: 'quality.missing',
  method: 'GET',
  path: '/sheets/{sheetId}/quality/missing',
  summary: 'Lists the values of a reference field that no record of the referenced sheet has, most frequent first',
  description: 'The caller must also be able to read the records of the referenced sheet.',
  policy: read,
  params,
  query: z.object({ ...readParams, fieldKey: FieldKey, ...pageQuery(100) }),
  reply: z.object({
    data: z.array(MissingValue),
    pagination: Pagination,
    target: z.object({ sheetId: Id, fieldKey: z.string() }),
  }),
  also: ['large'],
  errors: ['not-found', 'unprocessable'],
  example: { ...example, query: { fieldKey: 'manager' } },
})

export const createMissing = endpoint({
  id: 'quality.createMissing',
  method: 'POST',
  path: '/sheets/{sheetId}/quality/create-missing',
  summary: 'Creates a record in the referenced sheet for each missing value, as one commit there',
  description:
    'The caller must be able to write records of the referenced sheet. Values that are no longer missing are skipped. ' +
    `A call creates the ${MAX_MISSING_RECORDS_PER_CALL.toLocaleString('en')} most frequent ones; \`remaining\` is the number of the others.`,
  policy: read,
  params,
  query: z.object({ ...selectionParams, ...writeParams }),
  body: z.strictObject({
    fieldKey: FieldKey,
    values: z.array(MissingValue.shape.value).min(1).max(MAX_MISSING_RECORDS_PER_CALL).optional(),
  }),
  reply: data(
    z.object({
      success: z.literal(true),
      sheetId: Id,
      created: z.number().int(),
      remaining: z.number().int(),
      commitId: Id.optional(),
      versionId: Id.optional(),
    }),
  ),
  errors: ['not-found', 'conflict', 'unprocessable'],
  bodyBytes: LARGE_BODY_BYTES,
  example: { ...example, body: { fieldKey: 'manager' } },
})
