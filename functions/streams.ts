/** Records as streams over HTTP: JSON lines in and out, CSV out. */

import { may, type Principal } from '../lib/auth/principal.ts'
import { loadScope } from '../lib/auth/scopes.ts'
import { knownFields, selectionOf, sortOf } from '../lib/commits/selection.ts'
import { sheetRef } from '../lib/commits/sheet-ref.ts'
import { createSnapshot } from '../lib/commits/snapshots.ts'
import { refuseLocked, told, writeRecords } from '../lib/commits/write.ts'
import { forbidden, invalidField, notFound } from '../lib/core/errors.ts'
import { Sheets, type StoredSheet } from '../lib/entities/sheets.ts'
import { largeReply } from '../lib/http/large.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as engine from '../lib/records/index.ts'
import * as streams from '../schemas/streams.ts'

interface Named {
  sheetId?: string | undefined
  workbookId?: string | undefined
  sheetSlug?: string | undefined
}

/** The sheet a request names, if the caller may know of it. */
async function sheetNamed(caller: Principal, { sheetId, workbookId, sheetSlug }: Named): Promise<StoredSheet> {
  if (sheetId) return loadScope('sheet', caller, sheetId)
  if (!workbookId || !sheetSlug) throw invalidField('sheetId', 'is required, or workbookId and sheetSlug')
  const workbook = await loadScope('workbook', caller, workbookId)
  const found = (await Sheets.inWorkbook(workbook.id)).find(({ slug }) => slug === sheetSlug)
  if (!found) throw notFound('sheet', sheetSlug)
  return found
}

const JSONL = 'application/jsonl'

export const readJsonl = serve(streams.readJsonl)(async ({ caller, query, request }) => {
  const sheet = await sheetNamed(caller, query)
  const selection = await selectionOf(sheet, { ...query, for: query.for ?? query.forEvent })
  const lines = engine.streamJsonl(
    sheetRef(sheet),
    {
      ...selection,
      ...sortOf(query),
      ...(query.fields ? { fields: knownFields(sheet, 'fields', query.fields) } : {}),
      ...(query.pageSize || query.pageNumber ? { pageSize: query.pageSize, pageNumber: query.pageNumber } : {}),
    },
    { ...query, ...(query.includeSheetSlug ? { sheetSlug: sheet.slug } : {}) },
  )
  return largeReply(request, sheet, { name: `${sheet.slug}.jsonl`, type: JSONL }, lines)
})

export const writeJsonl = serve(streams.writeJsonl)(async ({ caller, query, request, tx }) => {
  const bytes = await request.bytes()
  const sheet = await sheetNamed(caller, await named(bytes, query, request.headers['x-sheet-id']))
  refuseLocked(sheet)
  if (query.snapshot && !may(caller, 'snapshots:write', sheet)) throw forbidden('This token may not take snapshots.')
  const writer = writeRecords(sheet, tx, told(request, query, caller))
  const snapshot = query.snapshot
    ? await createSnapshot(tx, sheet, { label: 'Before a write of JSON lines' })
    : undefined
  const result = await writer.write(partsFor(sheet, engine.jsonlParts(bytes, sheet.config.fields)), {
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

/** How a write names its sheet: by the query or the header, else by its lines. */
async function named(bytes: Buffer, query: Named, header: string | undefined): Promise<Named> {
  if (query.sheetId && header && header !== query.sheetId)
    throw invalidField('x-sheet-id', `names another sheet than ${query.sheetId}: one request writes to one sheet`)
  const sheetId = query.sheetId || header
  if (sheetId || query.sheetSlug) return { ...query, sheetId }
  return { sheetId: (await firstNamed(bytes)).id }
}

/** The sheet of the first line; when that is faulty, all faults are told of. */
async function firstNamed(bytes: Buffer): Promise<engine.NamedSheet> {
  try {
    return (await engine.peekSheet(bytes)).sheet
  } catch (error) {
    for await (const _ of engine.jsonlParts(bytes, []));
    throw error
  }
}

/** The parts of a write; a line that names another sheet stops it. */
async function* partsFor(sheet: StoredSheet, parts: AsyncIterable<engine.JsonlPart>): AsyncGenerator<engine.WritePart> {
  for await (const part of parts) {
    if ('inserts' in part) yield part.inserts
    else if ('updates' in part) yield part
    else if ('removes' in part) yield { deletes: part.removes }
    else if ((part.sheet.id ?? sheet.id) !== sheet.id || (part.sheet.slug ?? sheet.slug) !== sheet.slug)
      throw invalidField(`line ${part.line}`, `names another sheet than ${sheet.id}: one request writes to one sheet`)
  }
}

export const downloadCsv = serve(streams.downloadCsv)(async ({ sheet, query, request }) => {
  const rows = engine.streamCsv(
    sheetRef(sheet),
    {
      ...(await selectionOf(sheet, query)),
      ...sortOf(query),
      ...(query.fields ? { fields: knownFields(sheet, 'fields', query.fields) } : {}),
    },
    { neutralizeFormulas: query.escapeFormulas },
  )
  return largeReply(request, sheet, { name: `${sheet.slug}.csv`, type: 'text/csv; charset=utf-8' }, rows)
})

export const handler = lambda(readJsonl, writeJsonl, downloadCsv)
