import type { Schemas } from './types.ts'

export type CellValue = string | number | boolean | null | (string | number | boolean | null)[]

export interface StreamedRecord {
  id: string
  /** Without empty cells, unless `includeEmptyCells` is set. */
  values: Record<string, CellValue>
  valid: boolean
  /** By field key, with `includeMessages`. */
  messages?: Record<string, Schemas['Message'][]>
  metadata?: Record<string, unknown>
  config?: Record<string, unknown>
  updatedAt?: string
}

export interface RecordInput {
  /** Names the record to update or delete. */
  id?: string | undefined
  values?: Record<string, CellValue> | undefined
  metadata?: Record<string, unknown> | undefined
  config?: Record<string, unknown> | undefined
  delete?: true | undefined
}

interface Line {
  __k: string
  __e: boolean
  __v?: string
  __i?: Record<string, Schemas['Message'][]>
  __m?: Record<string, unknown>
  __c?: Record<string, unknown>
  __u?: string
}

const MAX_RECORDS_PER_BATCH = 10_000
/** Compressed, this is below the 6 MB of a request to AWS. */
const MAX_CHARACTERS_PER_BATCH = 4_000_000

export function toRecord(line: Line): StreamedRecord {
  const { __k: id, __e: valid, __v, __i: messages, __m: metadata, __c: config, __u: updatedAt, ...values } = line
  const record: StreamedRecord = { id, values: values as Record<string, CellValue>, valid }
  if (messages) record.messages = messages
  if (metadata) record.metadata = metadata
  if (config) record.config = config
  if (updatedAt) record.updatedAt = updatedAt
  return record
}

export const toLine = ({ id, values, metadata, config, delete: isDeleted }: RecordInput): string =>
  JSON.stringify({ ...values, __k: id, __m: metadata, __c: config, __d: isDeleted })

export async function* toBatches<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  toText: (item: Item) => string,
): AsyncGenerator<string, void, undefined> {
  let lines: string[] = []
  let characters = 0
  for await (const item of items) {
    const line = toText(item)
    if (
      lines.length === MAX_RECORDS_PER_BATCH ||
      (lines.length > 0 && characters + line.length > MAX_CHARACTERS_PER_BATCH)
    ) {
      yield `${lines.join('\n')}\n`
      lines = []
      characters = 0
    }
    lines.push(line)
    characters += line.length + 1
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`
}
