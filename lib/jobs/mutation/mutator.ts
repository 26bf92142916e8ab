/** Runs a user's function over records, as many at a time as one call of the function `run-mutation` carries. */
import * as z from 'zod'
import { unprocessable } from '../../core/errors.ts'
import { inFlight } from '../../core/in-flight.ts'
import type { CellInputs, TextBatch } from '../../records/index.ts'
import type { Answer, Call, Failed } from './call.ts'
import { evaluate } from './invoke.ts'
import type { KeptAnswers } from './kept.ts'
import { callMilliseconds, MACHINE_MEGABYTES, SOURCE_NAME } from './limits.ts'

/** Records of one call, and the bytes of their values as JSON: a call carries 6 MB, quotes doubled, and so does its answer. */
const CALL_RECORDS = 5000
const CALL_BYTES = 2 * 1024 * 1024
/** Lambda has a process for each; one machine has as many for a function. */
const CALLS_AT_ONCE = 4
/** Of what it says went wrong. */
const MESSAGE_CHARACTERS = 1000

const AnswerShape = z.union([
  z.object({ changes: z.string() }),
  z.object({
    failed: z.object({
      kind: z.enum(['time', 'memory', 'threw', 'load']),
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

interface Asking {
  /** Told how many records a call was about. */
  onDone?(records: number): Promise<void>
  /** What was asked before, by this run of a job or an earlier one. */
  kept?: KeptAnswers
}

export function mutator(program: string, { onDone, kept }: Asking = {}) {
  return async (batch: TextBatch): Promise<(CellInputs | undefined)[]> => {
    const cells: (Record<string, CellInputs[string]> | undefined)[] = new Array(batch.ids.length).fill(undefined)
    await inFlight(CALLS_AT_ONCE, calls(batch), async ({ first, length, records }) => {
      const call: Call = { program, filename: SOURCE_NAME, ...records, milliseconds: callMilliseconds(length) }
      const answer = await (kept ? kept.answerTo(call, ask) : ask(call))
      if ('failed' in answer) throw failure(answer.failed, batch.ids.slice(first, first + length))
      for (const [key, [places, values]] of Object.entries(changesIn(answer.changes))) {
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

const ask = async (call: Call): Promise<Answer> => AnswerShape.parse(await evaluate(call))

/** A user's function made it: whatever it is, its values are validated like any input. */
function changesIn(text: string): z.output<typeof Changes> {
  try {
    return Changes.parse(JSON.parse(text))
  } catch {
    throw unprocessable('The function failed: its changes cannot be read.')
  }
}

interface Portion {
  /** The place of its first record in the batch. */
  first: number
  length: number
  records: Pick<Call, 'ids' | 'columns'>
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
    const listed = [...columns].map(([key, texts]) => [key, `[${texts.slice(from, to).join(',')}]`] as const)
    return { first: from, length: to - from, records: { ids: JSON.stringify(ids.slice(from, to)), columns: listed } }
  }
}

function failure({ kind, at, message }: Failed, ids: readonly string[]) {
  const where = at === undefined || at < 0 ? '' : ` at record ${ids[at]}`
  switch (kind) {
    case 'time':
      return unprocessable(
        `The function was stopped${where}: it did not end within ${callMilliseconds(ids.length) / 1000} s.`,
      )
    case 'memory':
      return unprocessable(`The function was stopped${where}: it took more than ${MACHINE_MEGABYTES} MB of memory.`)
    case 'load':
      return unprocessable(`The function cannot be used: ${message}`)
    case 'threw':
      return unprocessable(`The function failed${where}: ${message}`)
  }
}
