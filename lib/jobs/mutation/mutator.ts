import * as z from 'zod'
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { type CellInput, joinTexts, type MutateBatch, splitTexts, type TextBatch } from '../../records/index.ts'
import type { MutationCall, MutationFailure, MutationResult } from './call.ts'
import { invokeEvaluator } from './invoke.ts'
import { getCallTimeoutMs, MAX_MACHINE_MEGABYTES, SOURCE_NAME } from './limits.ts'
import type { ResultCache } from './result-cache.ts'

/** Lambda limits requests and responses to 6 MB, and JSON in JSON doubles quotes. */
const MAX_RECORDS_PER_CALL = 10_000
const MAX_BYTES_PER_CALL = 2 * 1024 * 1024
const MAX_MESSAGE_CHARACTERS = 1000

const ResultShape = z.union([
  z.object({ changes: z.string() }),
  z.object({
    failed: z.object({
      kind: z.enum(['time', 'memory', 'threw', 'load']),
      message: z.string().transform((text) => text.slice(0, MAX_MESSAGE_CHARACTERS)),
      at: z.number().int().optional(),
    }),
  }),
])
const Indexes = z.custom<number[]>(
  (value) => Array.isArray(value) && value.every((index) => Number.isInteger(index) && index >= 0),
)
const Changes = z.record(z.string(), z.tuple([Indexes, z.custom<unknown[]>(Array.isArray)]))

interface MutatorOptions {
  onDone?(records: number): Promise<void>
  cache?: ResultCache
}

export function createMutator(program: string, { onDone, cache }: MutatorOptions = {}): MutateBatch {
  return async (batch) => {
    const changes = new Map<string, (CellInput | undefined)[]>()
    for (const { first, length, records } of splitIntoCalls(batch)) {
      const call: MutationCall = { program, filename: SOURCE_NAME, ...records, milliseconds: getCallTimeoutMs(length) }
      const result = await (cache ? cache.getOrEvaluate(call, evaluateCall) : evaluateCall(call))
      if ('failed' in result) throw toApiError(result.failed, batch.ids.slice(first, first + length))
      for (const [key, [indexes, values]] of Object.entries(parseChanges(result.changes))) {
        if (!batch.columns.has(key)) continue
        const cells = changes.get(key) ?? new Array<CellInput | undefined>(batch.ids.length).fill(undefined)
        changes.set(key, cells)
        for (let i = 0; i < indexes.length; i++)
          if (indexes[i]! < length) cells[first + indexes[i]!] = { value: values[i] }
      }
      await onDone?.(length)
    }
    return changes
  }
}

const evaluateCall = async (call: MutationCall): Promise<MutationResult> =>
  ResultShape.parse(await invokeEvaluator(call))

function parseChanges(text: string): z.output<typeof Changes> {
  try {
    return Changes.parse(JSON.parse(text))
  } catch {
    throw unprocessable(message('mutations.unreadableChanges'))
  }
}

interface CallPart {
  first: number
  length: number
  records: Pick<MutationCall, 'ids' | 'columns'>
}

function* splitIntoCalls({ ids, columns }: TextBatch): Generator<CallPart> {
  const length = [...columns.values()].reduce((sum, values) => sum + values.length, 0)
  if (ids.length <= MAX_RECORDS_PER_CALL && length <= MAX_BYTES_PER_CALL) {
    if (ids.length > 0) yield { first: 0, length: ids.length, records: toRecords(ids, columns) }
    return
  }
  const texts = new Map([...columns].map(([key, values]) => [key, splitTexts(values)]))
  const cells = [...texts.values()]
  let first = 0
  let bytes = 0
  for (let at = 0; at < ids.length; at++) {
    let recordBytes = 0
    for (const values of cells) recordBytes += values[at]!.length + 1
    if (at > first && (at - first >= MAX_RECORDS_PER_CALL || bytes + recordBytes > MAX_BYTES_PER_CALL)) {
      yield toCallPart(first, at)
      first = at
      bytes = 0
    }
    bytes += recordBytes
  }
  yield toCallPart(first, ids.length)

  function toCallPart(from: number, to: number): CallPart {
    const part = new Map([...texts].map(([key, values]) => [key, joinTexts(values.slice(from, to))]))
    return { first: from, length: to - from, records: toRecords(ids.slice(from, to), part) }
  }
}

const toRecords = (ids: readonly string[], columns: ReadonlyMap<string, string>): CallPart['records'] => ({
  ids: JSON.stringify(ids),
  columns: [...columns].map(([key, values]) => [key, `[${values}]`] as const),
})

function toApiError({ kind, at, message: reason }: MutationFailure, ids: readonly string[]) {
  const record = at === undefined || at < 0 ? undefined : ids[at]
  switch (kind) {
    case 'time':
      return createStoppedError(record, message('mutations.timedOut', { count: getCallTimeoutMs(ids.length) / 1000 }))
    case 'memory':
      return createStoppedError(record, message('mutations.memoryLimit', { limit: MAX_MACHINE_MEGABYTES }))
    case 'load':
      return unprocessable(message('mutations.notLoaded', { reason }))
    case 'threw':
      return unprocessable(
        record === undefined
          ? message('mutations.failed', { reason })
          : message('mutations.failedAtRecord', { record, reason }),
      )
  }
}

const createStoppedError = (record: string | undefined, reason: string) =>
  unprocessable(
    record === undefined
      ? message('mutations.stopped', { reason })
      : message('mutations.stoppedAtRecord', { record, reason }),
  )
