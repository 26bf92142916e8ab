/** Records as streams over HTTP: JSON Lines in both directions, CSV for download. */

import { loadScope } from '../lib/auth/load-resource.ts'
import { may, type Principal } from '../lib/auth/principal.ts'
import { assertKnownFields, parseSelection, parseSort } from '../lib/commits/selection.ts'
import { toSheetRef } from '../lib/commits/sheet-ref.ts'
import { createSnapshot } from '../lib/commits/snapshots.ts'
import { assertUnlocked, createRecordWriter, writeOptionsFrom } from '../lib/commits/write.ts'
import { forbidden, invalidField, notFound } from '../lib/core/errors.ts'
import { Sheets, type StoredSheet } from '../lib/entities/sheets.ts'
import { createLargeReply } from '../lib/http/large-response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as engine from '../lib/records/index.ts'
import { message } from '../schemas/messages/index.ts'
import * as streams from '../schemas/streams/endpoints.ts'

interface SheetReference {
  sheetId?: string | undefined
  workbookId?: string | undefined
  sheetSlug?: string | undefined
}

async function loadSheet(caller: Principal, { sheetId, workbookId, sheetSlug }: SheetReference): Promise<StoredSheet> {
  if (sheetId) return loadScope('sheet', caller, sheetId)
  if (!workbookId || !sheetSlug) throw invalidField('sheetId', message('records.sheetRequired'))
  const workbook = await loadScope('workbook', caller, workbookId)
  const found = (await Sheets.inWorkbook(workbook.id)).find(({ slug }) => slug === sheetSlug)
  if (!found) throw notFound('sheet', sheetSlug)
  return found
}

const JSONL = 'application/jsonl'

export const readJsonl = serve(streams.readJsonl)(async ({ caller, query, request }) => {
  const sheet = await loadSheet(caller, query)
  const selection = await parseSelection(sheet, { ...query, for: query.for ?? query.forEvent })
  const lines = engine.streamJsonl(
    toSheetRef(sheet),
    {
      ...selection,
      ...parseSort(query),
      ...(query.fields ? { fields: assertKnownFields(sheet, 'fields', query.fields) } : {}),
      ...(query.pageSize || query.pageNumber ? { pageSize: query.pageSize, pageNumber: query.pageNumber } : {}),
    },
    { ...query, ...(query.includeSheetSlug ? { sheetSlug: sheet.slug } : {}) },
  )
  return createLargeReply(request, sheet, { name: `${sheet.slug}.jsonl`, type: JSONL }, lines)
})

export const writeJsonl = serve(streams.writeJsonl)(async ({ caller, query, request, tx }) => {
  const bytes = await request.bytes()
  const sheet = await loadSheet(caller, await resolveReference(bytes, query, request.headers['x-sheet-id']))
  assertUnlocked(sheet)
  if (query.snapshot && !may(caller, 'snapshots:write', sheet)) throw forbidden(message('records.snapshotsNotAllowed'))
  const writer = createRecordWriter(sheet, tx, writeOptionsFrom(request, query, caller))
  const snapshot = query.snapshot
    ? await createSnapshot(tx, sheet, { label: message('records.beforeJsonLines') })
    : undefined
  const parts = engine.parseJsonl(bytes, sheet.config.fields)
  const interpret = query.interpret ?? sheet.config.interpret
  const readParts = interpret ? await readTexts(sheet, parts, tx) : parts
  const result = await writer.write(validateParts(sheet, readParts), {
    truncate: query.truncate ?? false,
  })
  return {
    success: true as const,
    created: result.created,
    updated: result.updated,
    deleted: result.removed,
    ...(result.commitId ? { commitId: result.commitId, versionId: result.commitId } : {}),
    ...(snapshot ? { snapshotId: snapshot.id } : {}),
    ...(result.missing.length > 0 ? { missing: result.missing } : {}),
    ...(result.ignoredFields.length > 0 ? { ignoredFields: result.ignoredFields } : {}),
  }
})

async function readTexts(
  { config }: StoredSheet,
  parts: AsyncIterable<engine.JsonlPart>,
  { now }: { now: string },
): Promise<AsyncIterable<engine.JsonlPart>> {
  const { interpretParts } = await import('../lib/mapping/interpret-parts.ts')
  return interpretParts(config.fields, parts, new Date(now).getUTCFullYear())
}

async function resolveReference(
  bytes: Buffer,
  query: SheetReference,
  header: string | undefined,
): Promise<SheetReference> {
  if (query.sheetId && header && header !== query.sheetId)
    throw invalidField('x-sheet-id', message('records.otherSheet', { sheet: query.sheetId }))
  const sheetId = query.sheetId || header
  if (sheetId || query.sheetSlug) return { ...query, sheetId }
  return { sheetId: (await readFirstSheet(bytes)).id }
}

async function readFirstSheet(bytes: Buffer): Promise<engine.NamedSheet> {
  try {
    return (await engine.peekSheet(bytes)).sheet
  } catch (error) {
    for await (const _ of engine.parseJsonl(bytes, []));
    throw error
  }
}

async function* validateParts(
  sheet: StoredSheet,
  parts: AsyncIterable<engine.JsonlPart>,
): AsyncGenerator<engine.WritePart> {
  for await (const part of parts) {
    if ('inserts' in part) yield part.inserts
    else if ('updates' in part) yield part
    else if ('removes' in part) yield { deletes: part.removes }
    else if ((part.sheet.id ?? sheet.id) !== sheet.id || (part.sheet.slug ?? sheet.slug) !== sheet.slug)
      throw invalidField(`line ${part.line}`, message('records.otherSheet', { sheet: sheet.id }))
  }
}

export const downloadCsv = serve(streams.downloadCsv)(async ({ sheet, query, request }) => {
  const rows = engine.streamCsv(
    toSheetRef(sheet),
    {
      ...(await parseSelection(sheet, query)),
      ...parseSort(query),
      ...(query.fields ? { fields: assertKnownFields(sheet, 'fields', query.fields) } : {}),
    },
    { neutralizeFormulas: query.escapeFormulas },
  )
  return createLargeReply(request, sheet, { name: `${sheet.slug}.csv`, type: 'text/csv; charset=utf-8' }, rows)
})

export const handler = lambda(readJsonl, writeJsonl, downloadCsv)
