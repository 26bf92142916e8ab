/** Asks a user's function, in its sandbox, what becomes of records: some at a time, as much as one call carries. */
import * as z from 'zod'
import { type Sandbox, SandboxExceeded } from '../../agents/sandbox.ts'
import { unprocessable } from '../../core/errors.ts'
import type { CellInputs, ScanBatch } from '../../records/index.ts'
import type { Answer, Call } from './runner.ts'
import { SOURCE_NAME } from './source.ts'

/** Records of one call, and the bytes of their values as JSON: a call carries 6 MB, and so does its answer. */
const CALL_RECORDS = 2000
const CALL_BYTES = 1024 * 1024
/** What the function may take for the records of one call. */
const CALL_MS = 10_000
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
const Changes = z.array(z.tuple([z.number().int().min(0), z.record(z.string(), z.unknown())]))

/** A function's name has at most 64 characters. */
export const mutationSandboxOf = (jobId: string): string => `mut-${jobId}`

/** @param onDone told how many records a call was about */
export function mutator(
  sandbox: Sandbox,
  program: string,
  onDone: (records: number) => Promise<void> = async () => {},
) {
  return async (batch: ScanBatch): Promise<(CellInputs | undefined)[]> => {
    const cells: (CellInputs | undefined)[] = new Array(batch.ids.length).fill(undefined)
    for (const { first, texts } of calls(batch)) {
      const payload: Call = {
        program,
        filename: SOURCE_NAME,
        records: `[${texts.join(',')}]`,
        milliseconds: CALL_MS,
      }
      const answer = await answered(sandbox, payload)
      if ('failed' in answer) throw failure(answer.failed, batch.ids.slice(first, first + texts.length))
      for (const [place, values] of Changes.parse(JSON.parse(answer.changes)))
        if (place < texts.length) cells[first + place] = asCells(values)
      await onDone(texts.length)
    }
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

const asCells = (values: Record<string, unknown>): CellInputs =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]))

/** The batch cut into calls. */
function* calls({ ids, columns }: ScanBatch): Generator<{ first: number; texts: string[] }> {
  let texts: string[] = []
  let bytes = 0
  let first = 0
  const fields = [...columns]
  for (const [at, id] of ids.entries()) {
    const values = Object.fromEntries(fields.map(([key, column]) => [key, column[at]]))
    const text = JSON.stringify([id, values])
    if (texts.length > 0 && (texts.length >= CALL_RECORDS || bytes + text.length > CALL_BYTES)) {
      yield { first, texts }
      first = at
      texts = []
      bytes = 0
    }
    texts.push(text)
    bytes += text.length
  }
  if (texts.length > 0) yield { first, texts }
}

function failure(failed: Extract<Answer, { failed: object }>['failed'], ids: readonly string[]) {
  const where = failed.at === undefined || failed.at < 0 ? '' : ` at record ${ids[failed.at]}`
  if (failed.kind === 'time')
    return unprocessable(`The function was stopped${where}: it did not end within ${CALL_MS / 1000} s.`)
  if (failed.kind === 'load') return unprocessable(`The function cannot be used: ${failed.message}`)
  return unprocessable(`The function failed${where}: ${failed.message}`)
}
