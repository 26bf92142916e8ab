/** Record writes as data, so that a process can execute them and another can replay them. */

import type { Store } from '../../lib/records/log/store.ts'
import type { RecordInput, RecordUpdate, SheetRef, WriteContext } from '../../lib/records/sheet.ts'

export type Write =
  | { do: 'insert'; rows: RecordInput[] }
  | { do: 'import'; count: number }
  | { do: 'update'; updates: RecordUpdate[] }
  | { do: 'remove'; ids: string[] }

export interface Command {
  sheet: SheetRef
  write: Write
  ctx: WriteContext
}

export interface Done {
  commitId: string | undefined
  ids: string[]
}

const BATCH_ROWS = 500

export async function* createImportRows(count: number) {
  for (let from = 0; from < count; from += BATCH_ROWS) {
    const length = Math.min(BATCH_ROWS, count - from)
    const rows = Array.from({ length }, (_, i) => [`code ${from + i}`, `left ${from + i}`, `left ${from + i}`])
    yield { keys: ['code', 'left', 'right'], rows }
  }
}

export async function performWrite(
  engine: typeof import('../../lib/records/index.ts'),
  { sheet, write, ctx }: Command,
  store: Store,
): Promise<Done> {
  if (write.do === 'insert') {
    const { commitId, ids } = await engine.insert(sheet, write.rows, ctx, store)
    return { commitId, ids: [...ids] }
  }
  const result =
    write.do === 'import'
      ? await engine.importRows(sheet, createImportRows(write.count), ctx, store)
      : write.do === 'update'
        ? await engine.update(sheet, write.updates, ctx, store)
        : await engine.remove(sheet, write.ids, ctx, store)
  return { commitId: result.commitId, ids: [] }
}

export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
