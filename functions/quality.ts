/** The data quality of a sheet over HTTP. */

import { createBulkWriter } from '../lib/commits/bulk.ts'
import { assertKnownFields, parseSelection } from '../lib/commits/selection.ts'
import { toSheetRef } from '../lib/commits/sheet-ref.ts'
import { assertUnlocked, writeOptionsFrom } from '../lib/commits/write.ts'
import { createLargeJsonReply } from '../lib/http/large-response.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { compileEdit, previewEdit as preview } from '../lib/quality/edits.ts'
import { addFixes } from '../lib/quality/fixes.ts'
import { listErrorGroups } from '../lib/quality/groups.ts'
import * as quality from '../schemas/quality/endpoints.ts'

export const groups = serve(quality.groups)(async ({ sheet, query, request }) => {
  const { fieldKey, level, pageSize, pageNumber, ...selection } = query
  if (fieldKey !== undefined) assertKnownFields(sheet, 'fieldKey', [fieldKey])
  const ref = { ...toSheetRef(sheet), fields: sheet.config.fields }
  const all = await listErrorGroups(ref, {
    ...(await parseSelection(sheet, selection)),
    level,
    ...(fieldKey === undefined ? {} : { field: fieldKey }),
  })
  const page = paginate(all, { pageSize, pageNumber })
  const data = await addFixes(ref, page.data, {
    thisYear: new Date().getUTCFullYear(),
    asOf: selection.asOfCommitId,
  })
  return createLargeJsonReply(request, sheet, 'quality', { ...page, data })
})

export const previewEdit = serve(quality.previewEdit)(async ({ sheet, body, query, request }) => {
  const selection = await parseSelection(sheet, query)
  return createLargeJsonReply(request, sheet, 'preview', {
    data: await preview(toSheetRef(sheet), body, selection, query),
  })
})

export const edit = serve(quality.edit)(async ({ sheet, body, query, request, caller, tx }) => {
  assertUnlocked(sheet)
  const bulk = createBulkWriter(sheet, tx, writeOptionsFrom(request, query, caller))
  const replaceValue = compileEdit(toSheetRef(sheet), body.edit, 'edit.')
  const { updated, commitId } = await bulk.replaceValues(await parseSelection(sheet, query), {
    field: body.edit.fieldKey,
    replaceValue,
    ...(body.version === undefined ? {} : { version: body.version }),
  })
  return { data: { success: true as const, updated, ...(commitId ? { commitId, versionId: commitId } : {}) } }
})

export const handler = lambda(groups, previewEdit, edit)
