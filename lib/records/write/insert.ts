/** Inserts records from a request body, or streamed from a file or another sheet. */
import { message } from '../../../schemas/messages/index.ts'
import { conflict, tooLarge } from '../../core/errors.ts'
import { rulesOf, type SheetRules, toHookMessages } from '../fields/rules.ts'
import { processStore, type Store } from '../log/store.ts'
import type { RowExtras } from '../segments/segment-writer.ts'
import type { Message, RecordInput, SheetRef, WriteContext } from '../sheet.ts'
import type { RowsPart } from './build-segments.ts'
import { loadParts, type StoredPart } from './stored-part.ts'
import { commitWrites, startWrite, type WriteOptions, type WriteResult, writeRows } from './write.ts'
import type { CommitResult, RecordIds } from './write-result.ts'

export const MAX_RECORDS_PER_INSERT = 10_000

export interface InsertResult extends CommitResult {
  created: number
  createdErrors: number
  ids: RecordIds
  ignoredFields: string[]
}

/** Invalid values are stored with messages, not rejected. @throws ApiError too-large above the limit */
export async function insert(
  sheet: SheetRef,
  rows: readonly RecordInput[],
  ctx: WriteContext,
  store: Store = processStore,
): Promise<InsertResult> {
  if (rows.length > MAX_RECORDS_PER_INSERT)
    throw tooLarge(message('records.insertTooLarge', { count: MAX_RECORDS_PER_INSERT }))
  const { columns, extras, ignoredFields: unknownKeys } = toColumns(rulesOf(sheet), rows)
  async function* yieldBatch(): AsyncGenerator<RowsPart> {
    yield { length: rows.length, columns, extras }
  }
  const result = await importRows(sheet, yieldBatch(), ctx, store)
  return { ...result, ignoredFields: [...unknownKeys] }
}

function toColumns(
  rules: SheetRules,
  rows: readonly RecordInput[],
): { columns: Map<string, unknown[]>; extras: RowExtras[]; ignoredFields: Set<string> } {
  const columns = new Map(rules.fields.map(({ key }) => [key, new Array<unknown>(rows.length).fill(null)]))
  const ignoredFields = new Set<string>()
  const extras = rows.map(({ values, metadata, config }, i): RowExtras => {
    let messages: Map<string, Message[]> | undefined
    for (const [key, cell] of Object.entries(values)) {
      const column = columns.get(key)
      if (!column) ignoredFields.add(key)
      else {
        column[i] = cell?.value
        if (cell?.messages?.length) {
          messages ??= new Map()
          messages.set(key, toHookMessages(key, cell.messages))
        }
      }
    }
    return { metadata, config, messages }
  })
  return { columns, extras, ignoredFields }
}

/** All rows become visible with the final entry. Repeating the same `op` adds nothing. */
export async function importRows(
  sheet: SheetRef,
  batches: AsyncIterable<RowsPart>,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<InsertResult> {
  const { commitId, changed, counts, outbox, created, createdErrors, createdIds, ignoredFields } = await writeRows(
    sheet,
    batches,
    ctx,
    store,
  )
  return { commitId, changed, counts, outbox, created, createdErrors, ids: createdIds, ignoredFields }
}

/**
 * Commits stored parts as one import, in their order.
 * @throws ApiError conflict above the record limit, or if the fields changed while the parts were stored
 */
export async function importParts(
  sheet: SheetRef,
  parts: readonly StoredPart[],
  ctx: WriteContext,
  { truncate = false }: Pick<WriteOptions, 'truncate'> = {},
  store: Store = processStore,
): Promise<WriteResult> {
  const start = await startWrite(store, sheet, ctx)
  if ('earlier' in start) return { ...start.earlier, missing: [], ignoredFields: [] }
  const rules = rulesOf(sheet)
  const { added, signatures } = await loadParts(store, rules, parts)
  if (![...signatures].every((signature) => signature === rules.signature))
    throw conflict(message('records.fieldsChangedDuringImport'))
  const result = await commitWrites(store, sheet, start.state, ctx, {
    added,
    ...(truncate ? { removes: { filter: 'all' } } : {}),
  })
  return { ...result, ignoredFields: [...new Set(parts.flatMap(({ ignoredFields }) => ignoredFields))] }
}
