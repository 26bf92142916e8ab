/** Asks a user's function, in its sandbox, what becomes of records: some at a time, as much as one call carries. */
import * as z from 'zod'
import { type Sandbox, SandboxExceeded } from '../../agents/sandbox.ts'
import { unprocessable } from '../../core/errors.ts'
import { inFlight } from '../../core/in-flight.ts'
import type { CellInputs, TextBatch } from '../../records/index.ts'
import type { KeptAnswers } from './kept.ts'
import type { Answer, Call } from './runner.ts'
import { SOURCE_NAME } from './source.ts'

/** Records of one call, and the bytes of their values as JSON: a call carries 6 MB, quotes doubled, and so does its answer. */
const CALL_RECORDS = 5000
const CALL_BYTES = 2 * 1024 * 1024
/** Lambda has a process for each; one machine has as many for a function. */
const CALLS_AT_ONCE = 4
/** What the function may take for the records of one call: 5 ms each, and at least 10 s. */
const callMs = (records: number): number => Math.max(10_000, 5 * records)
/** Of what it says went wrong. */
const MESSAGE_CHARACTERS = 1000

const AnswerShape = z.union([
  z.object({ changes: z.string() }),
  z.object({
    failed: z.object({
      kind: z.enum(['time', 'threw', 'load']),
      message: z.string().transform((text) => text.slice(0, MESSAGE_CHARACTERS)),
      at: z.number().int().optional(),
    }),
  }),
])
/** Of thousands of places each: looked at in one go. */
const Places = z.custom<number[]>(
  (given) => Array.isArray(given) && given.every((place) => Number.isInteger(place) && place >= 0),
)
const Changes = z.record(z.string(), z.tuple([Places, z.custom<unknown[]>(Array.isArray)]))

/** A function's name has at most 64 characters. */
export const mutationSandboxOf = (jobId: string): string => `mut-${jobId}`

interface Asking {
  /** Told how many records a call was about. */
  onDone?(records: number): Promise<void>
  /** What was asked before, by this run of a job or an earlier one. */
  kept?: KeptAnswers
}

export function mutator(sandbox: Sandbox, program: string, { onDone, kept }: Asking = {}) {
  const ask = (call: Call): Promise<Answer> => answered(sandbox, call)
  return async (batch: TextBatch): Promise<(CellInputs | undefined)[]> => {
    const cells: (Record<string, CellInputs[string]> | undefined)[] = new Array(batch.ids.length).fill(undefined)
    await inFlight(CALLS_AT_ONCE, calls(batch), async ({ first, length, records }) => {
      const payload: Call = { program, filename: SOURCE_NAME, records, milliseconds: callMs(length) }
      const answer = await (kept ? kept.answerTo(payload, ask) : ask(payload))
      if ('failed' in answer) throw failure(answer.failed, batch.ids.slice(first, first + length))
      for (const [key, [places, values]] of Object.entries(Changes.parse(JSON.parse(answer.changes)))) {
        if (!batch.columns.has(key)) continue
        for (const [i, place] of places.entries()) {
          if (place >= length) continue
          cells[first + place] ??= {}
          cells[first + place]![key] = { value: values[i] }
        }
      }
      await onDone?.(length)
    })
    return cells
  }
}

/** The answer comes from a user's process: it is taken for what it is, and what it changes is judged like any input. */
async function answered(sandbox: Sandbox, payload: Call): Promise<Answer> {
  try {
    return AnswerShape.parse(await sandbox.call(payload))
  } catch (error) {
    throw error instanceof SandboxExceeded ? unprocessable(`The function was stopped: ${error.message}.`) : error
  }
}

interface Portion {
  /** The place of its first record in the batch. */
  first: number
  length: number
  /** As {@link Call} has them. */
  records: string
}

/** The batch cut into calls. */
function* calls({ ids, columns }: TextBatch): Generator<Portion> {
  const cells = [...columns.values()]
  let first = 0
  let bytes = 0
  for (let at = 0; at < ids.length; at++) {
    let own = 0
    for (const texts of cells) own += texts[at]!.length + 1
    if (at > first && (at - first >= CALL_RECORDS || bytes + own > CALL_BYTES)) {
      yield portion(first, at)
      first = at
      bytes = 0
    }
    bytes += own
  }
  if (ids.length > 0) yield portion(first, ids.length)

  function portion(from: number, to: number): Portion {
    const written = [...columns].map(([key, texts]) => `${JSON.stringify(key)}:[${texts.slice(from, to).join(',')}]`)
    const records = `{"ids":${JSON.stringify(ids.slice(from, to))},"columns":{${written.join(',')}}}`
    return { first: from, length: to - from, records }
  }
}

function failure(failed: Extract<Answer, { failed: object }>['failed'], ids: readonly string[]) {
  const where = failed.at === undefined || failed.at < 0 ? '' : ` at record ${ids[failed.at]}`
  if (failed.kind === 'time')
    return unprocessable(`The function was stopped${where}: it did not end within ${callMs(ids.length) / 1000} s.`)
  if (failed.kind === 'load') return unprocessable(`The function cannot be used: ${failed.message}`)
  return unprocessable(`The function failed${where}: ${failed.message}`)
}
