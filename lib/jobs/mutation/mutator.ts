import * as z from 'zod'
import { message } from '../../../schemas/messages/index.ts'
import { ApiError, unprocessable } from '../../core/errors.ts'
import { unpackIds } from '../../events/id-ranges.ts'
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
  z.object({ changes: z.string(), read: z.array(z.string()) }),
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

/** After the first calls, sends only the fields that a call read. A call that fails without the others is repeated with all. */
export function createMutator(program: string, { onDone, cache }: MutatorOptions = {}): MutateBatch {
  let readFields: readonly string[] | undefined
  return async (batch) => {
    const changes = new Map<string, (CellInput | undefined)[]>()
    const known = new Set(batch.fields)
    for await (const { first, length, columns } of evaluate(batch, readFields ?? batch.fields)) {
      for (const [key, [indexes, values]] of Object.entries(columns)) {
        if (!known.has(key)) continue
        const cells = changes.get(key) ?? new Array<CellInput | undefined>(batch.length).fill(undefined)
        changes.set(key, cells)
        for (let i = 0; i < indexes.length; i++)
          if (indexes[i]! < length) cells[first + indexes[i]!] = { value: values[i] }
      }
      await onDone?.(length)
    }
    return changes
  }

  async function* evaluate(batch: TextBatch, sent: readonly string[], offset = 0): AsyncGenerator<EvaluatedPart> {
    for await (const { first, part, texts } of splitIntoCalls(batch, sent)) {
      const { length } = part
      const milliseconds = getCallTimeoutMs(length)
      const call: MutationCall = { program, filename: SOURCE_NAME, ...toRecords(part, sent, texts), milliseconds }
      const isComplete = sent.length === part.fields.length
      const result = await runCall(call, isComplete)
      if (result && 'changes' in result) {
        readFields = [...new Set([...(readFields ?? []), ...result.read])]
        yield { first: offset + first, length, columns: parseChanges(result.changes) }
      } else if (result && isComplete) throw toApiError(result.failed, part)
      else {
        // With all fields a call has fewer records, so it may also stay below a limit that this one exceeded.
        if (result?.failed.kind !== 'threw') readFields = part.fields
        yield* evaluate(part, part.fields, offset + first)
      }
    }
  }

  async function runCall(call: MutationCall, isComplete: boolean): Promise<MutationResult | undefined> {
    try {
      return await (cache ? cache.getOrEvaluate(call, evaluateCall) : evaluateCall(call))
    } catch (error) {
      if (isComplete || !(error instanceof ApiError)) throw error
      return undefined
    }
  }
}

interface EvaluatedPart {
  first: number
  length: number
  columns: z.output<typeof Changes>
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
  part: TextBatch
  texts: readonly string[]
}

async function* splitIntoCalls(batch: TextBatch, sent: readonly string[]): AsyncGenerator<CallPart> {
  const texts = await batch.readTexts(sent)
  const textLength = texts.reduce((sum, values) => sum + values.length, 0)
  if (batch.length <= MAX_RECORDS_PER_CALL && textLength <= MAX_BYTES_PER_CALL) {
    if (batch.length > 0) yield { first: 0, part: batch, texts }
    return
  }
  const cells = texts.map(splitTexts)
  const takePart = (from: number, to: number): CallPart => ({
    first: from,
    part: sliceBatch(batch, from, to),
    texts: cells.map((values) => joinTexts(values.slice(from, to))),
  })
  let first = 0
  let bytes = 0
  for (let at = 0; at < batch.length; at++) {
    let recordBytes = 0
    for (const values of cells) recordBytes += values[at]!.length + 1
    if (at > first && (at - first >= MAX_RECORDS_PER_CALL || bytes + recordBytes > MAX_BYTES_PER_CALL)) {
      yield takePart(first, at)
      first = at
      bytes = 0
    }
    bytes += recordBytes
  }
  yield takePart(first, batch.length)
}

const sliceBatch = (batch: TextBatch, from: number, to: number): TextBatch => ({
  length: to - from,
  getIdRuns: (first, end) => batch.getIdRuns(from + first, from + end),
  fields: batch.fields,
  readTexts: async (fields) =>
    (await batch.readTexts(fields)).map((values) => joinTexts(splitTexts(values).slice(from, to))),
})

function toRecords(
  { length, getIdRuns, fields }: TextBatch,
  sent: readonly string[],
  texts: readonly string[],
): Pick<MutationCall, 'idRanges' | 'columns'> {
  const valuesByField = new Map(sent.map((field, at) => [field, `[${texts[at]}]`]))
  return {
    idRanges: JSON.stringify(getIdRuns(0, length)),
    columns: fields.map((field) => [field, valuesByField.get(field) ?? null] as const),
  }
}

function toApiError({ kind, at, message: reason }: MutationFailure, { length, getIdRuns }: TextBatch) {
  const [record] = at === undefined || at < 0 ? [] : unpackIds({ runs: getIdRuns(at, at + 1) })
  switch (kind) {
    case 'time':
      return createStoppedError(record, message('mutations.timedOut', { count: getCallTimeoutMs(length) / 1000 }))
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
