/** Inserting records: from a call's body, or streamed from a file or another sheet. */
import { tooLarge } from '../../core/errors.ts'
import { processStore, type Store } from '../log/store.ts'
import { hookMessages, rulesOf, type SheetRules } from '../rules/rules.ts'
import type { Message, RecordInput, SheetRef, WriteContext } from '../sheet.ts'
import type { RowsPart } from './ingest.ts'
import type { WriteResult } from './results.ts'
import type { RowExtras } from './segment.ts'
import { writeRows } from './write.ts'

/** Records of one call at most. */
export const INSERT_LIMIT = 10_000

export interface InsertResult extends WriteResult {
  created: number
  /** Ids in order; made on demand (a million ids are not held). */
  ids: Iterable<string>
  /** Keys of values the sheet has no field for. */
  ignoredFields: string[]
}

/**
 * Adds up to 10,000 records as one commit. Bad values are kept and reported as messages, not refused.
 * @throws ApiError too-large above the limit
 */
export async function insert(
  sheet: SheetRef,
  rows: readonly RecordInput[],
  ctx: WriteContext,
  store: Store = processStore,
): Promise<InsertResult> {
  if (rows.length > INSERT_LIMIT) throw tooLarge(`At most ${INSERT_LIMIT} records can be inserted in one call.`)
  const { columns, extras, ignored } = columnsOf(rulesOf(sheet), rows)
  async function* once(): AsyncGenerator<RowsPart> {
    yield { length: rows.length, columns, extras }
  }
  const result = await importRows(sheet, once(), ctx, store)
  return { ...result, ignoredFields: [...ignored] }
}

function columnsOf(
  rules: SheetRules,
  rows: readonly RecordInput[],
): { columns: Map<string, unknown[]>; extras: RowExtras[]; ignored: Set<string> } {
  const columns = new Map(rules.fields.map(({ key }) => [key, new Array<unknown>(rows.length).fill(null)]))
  const ignored = new Set<string>()
  const extras = rows.map(({ values, metadata, config }, i): RowExtras => {
    let messages: Map<string, Message[]> | undefined
    for (const [key, cell] of Object.entries(values)) {
      const column = columns.get(key)
      if (!column) ignored.add(key)
      else {
        column[i] = cell?.value
        if (cell?.messages?.length) {
          messages ??= new Map()
          messages.set(key, hookMessages(key, cell.messages))
        }
      }
    }
    return { metadata, config, messages }
  })
  return { columns, extras, ignored }
}

/**
 * Adds any number of records as one commit: segments are stored as they fill, and all rows become visible with the one
 * entry at the end. Repeating an import with the same `op` adds nothing.
 */
export async function importRows(
  sheet: SheetRef,
  batches: AsyncIterable<RowsPart>,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<InsertResult> {
  const { commitId, changed, counts, outbox, created, createdIds, ignoredFields } = await writeRows(
    sheet,
    batches,
    ctx,
    store,
  )
  return { commitId, changed, counts, outbox, created, ids: createdIds, ignoredFields }
}
