import { rulesOf } from '../fields/rules.ts'
import { processStore, type Store } from '../log/store.ts'
import type { PartRequest } from '../sheet.ts'
import { unpackManifest } from '../state/manifest.ts'
import { countRead } from './counts.ts'
import type { DividedRead } from './divided.ts'
import { selectRead } from './select-shared.ts'
import { rankRead, sortRead } from './sort-part.ts'
import { createPastView } from './view.ts'

// biome-ignore lint/suspicious/noExplicitAny: a table of reads has reads of all types
const READS: readonly DividedRead<any, unknown>[] = [countRead, selectRead, sortRead, rankRead]

export async function readPart(request: PartRequest, store: Store = processStore): Promise<unknown> {
  const { read: name, sheet, segments, selection, query } = request
  const found = READS.find((one) => one.name === name)
  if (!found) throw new Error(`There is no read ${name}`)
  const rules = rulesOf(sheet)
  const state = unpackManifest(sheet.sheetId, Buffer.from(segments, 'base64'))
  const view = selection.asOf === undefined ? { state, rules } : createPastView(state, rules)
  return found.read(store, view, selection, query)
}
