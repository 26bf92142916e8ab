import { loadWithPermission } from '../lib/auth/load-resource.ts'
import { createBulkWriter } from '../lib/commits/bulk.ts'
import { recordEdit } from '../lib/commits/recorded-change.ts'
import { assertKnownFields, parseSelection } from '../lib/commits/selection.ts'
import { toSheetRef } from '../lib/commits/sheet-ref.ts'
import { assertUnlocked, createRecordWriter, requireVersion, writeOptionsFrom } from '../lib/commits/write.ts'
import { lazy } from '../lib/core/lazy.ts'
import { createLargeJsonReply } from '../lib/http/large-response.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { listErrorGroups } from '../lib/quality/groups.ts'
import { planMerges, toWriteParts } from '../lib/quality/merges.ts'
import * as quality from '../schemas/quality/endpoints.ts'

const importEdits = lazy(() => import('../lib/quality/edits.ts'))
const importFixes = lazy(() => import('../lib/quality/fixes.ts'))
const importClusters = lazy(() => import('../lib/quality/clusters.ts'))
const importMissing = lazy(() => import('../lib/quality/missing-records.ts'))
const importDuplicates = lazy(() => import('../lib/quality/duplicates.ts'))

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
  const { addFixes } = await importFixes()
  const data = await addFixes(ref, page.data, {
    thisYear: new Date().getUTCFullYear(),
    asOf: selection.asOfCommitId,
  })
  return createLargeJsonReply(request, sheet, 'quality', { ...page, data })
})

export const clusters = serve(quality.clusters)(async ({ sheet, query, request }) => {
  const { fieldKey, method, radius } = query
  assertKnownFields(sheet, 'fieldKey', [fieldKey])
  const selection = await parseSelection(sheet, query)
  const { listClusters } = await importClusters()
  const all = await listClusters(toSheetRef(sheet), fieldKey, { method, radius }, selection)
  return createLargeJsonReply(request, sheet, 'clusters', paginate(all, query))
})

export const previewEdit = serve(quality.previewEdit)(async ({ sheet, body, query, request }) => {
  const { previewEdit: preview } = await importEdits()
  const selection = await parseSelection(sheet, query)
  return createLargeJsonReply(request, sheet, 'preview', {
    data: await preview(toSheetRef(sheet), body, selection, query),
  })
})

export const edit = serve(quality.edit)(async ({ sheet, body, query, request, caller, tx }) => {
  const { compileEdit } = await importEdits()
  assertUnlocked(sheet)
  const selection = await parseSelection(sheet, query)
  const bulk = createBulkWriter(sheet, tx, {
    ...writeOptionsFrom(request, query, caller),
    change: recordEdit(body.edit, selection),
    assertUnchanged: requireVersion(body.version),
  })
  const replaceValue = compileEdit(toSheetRef(sheet), body.edit, 'edit.')
  const { updated, commitId } = await bulk.replaceValues(selection, {
    fields: [body.edit.fieldKey],
    replaceValue,
  })
  return { data: { success: true as const, updated, ...(commitId ? { commitId, versionId: commitId } : {}) } }
})

export const duplicates = serve(quality.duplicates)(async ({ sheet, query, request }) => {
  const { fields, method, radius, pageSize, pageNumber } = query
  assertKnownFields(sheet, 'fields', fields)
  const selection = await parseSelection(sheet, query)
  const { listDuplicates } = await importDuplicates()
  const { groups, version, total } = await listDuplicates(
    toSheetRef(sheet),
    { fields, method, radius, selection },
    query,
  )
  return createLargeJsonReply(request, sheet, 'duplicates', {
    data: groups,
    pagination: { currentPage: pageNumber, pageCount: Math.ceil(total / pageSize), totalCount: total },
    version,
  })
})

export const previewMerge = serve(quality.previewMerge)(async ({ sheet, body, request }) => {
  const { updates: _, deletes: __, ...data } = await planMerges(toSheetRef(sheet), body.merges, body.version)
  return createLargeJsonReply(request, sheet, 'preview', { data })
})

export const merge = serve(quality.merge)(async ({ sheet, body, query, request, caller, tx }) => {
  assertUnlocked(sheet)
  if (body.duplicates) assertKnownFields(sheet, 'duplicates.fields', body.duplicates.fields)
  const plan = await planMerges(toSheetRef(sheet), body.merges, body.version)
  const writer = createRecordWriter(sheet, tx, {
    ...writeOptionsFrom(request, query, caller),
    change: { type: 'merge', duplicates: body.duplicates },
    assertUnchanged: requireVersion(plan.version),
  })
  const { commitId } = await writer.write(toWriteParts(plan))
  const written = commitId ? { commitId, versionId: commitId } : {}
  return { data: { success: true as const, updated: plan.records, deleted: plan.deleted, ...written } }
})

export const missing = serve(quality.missing)(async ({ sheet, query, request, caller }) => {
  const { listMissingValues } = await importMissing()
  const { values, target } = await listMissingValues(sheet, query.fieldKey, await parseSelection(sheet, query))
  await loadWithPermission('sheet', caller, 'records:read', target.sheetId)
  return createLargeJsonReply(request, sheet, 'missing', { ...paginate(values, query), target })
})

export const createMissing = serve(quality.createMissing)(async ({ sheet, body, query, request, caller, tx }) => {
  const { listMissingValues, selectMissing, toNewRecords } = await importMissing()
  const found = await listMissingValues(sheet, body.fieldKey, await parseSelection(sheet, query))
  const target = await loadWithPermission('sheet', caller, 'records:write', found.target.sheetId)
  assertUnlocked(target)
  const { selected, remaining } = selectMissing(found, body.values)
  const writer = createRecordWriter(target, tx, {
    ...writeOptionsFrom(request, query, caller),
    assertUnchanged: requireVersion(found.version),
  })
  const rows = toNewRecords(found.target.fieldKey, selected)
  const { commitId } = selected.length > 0 ? await writer.write(rows) : {}
  const written = commitId ? { commitId, versionId: commitId } : {}
  return { data: { success: true as const, sheetId: target.id, created: selected.length, remaining, ...written } }
})

export const handler = lambda(
  groups,
  clusters,
  duplicates,
  missing,
  previewEdit,
  edit,
  previewMerge,
  merge,
  createMissing,
)
