import type { SheetRef } from '../lib/records/index.ts'
import { createWriteContext } from '../test/support/records.ts'
import type { Case } from './cases.ts'
import { createConditionalUpdate } from './requests.ts'

const WRITERS = 8
const EDITS = 10

export async function writeCases(sheet: SheetRef, ids: readonly string[]): Promise<Case[]> {
  const { createStore, update } = await import('../lib/records/index.ts')
  const stores = Array.from({ length: WRITERS }, () => createStore())
  let editCount = 0
  const createEdit = (key: string) => (writer: number) => {
    const id = ids[(++editCount * 7919) % ids.length]!
    return update(sheet, [{ id, values: { [key]: { value: `v${editCount}` } } }], createWriteContext(), stores[writer])
  }
  const conditional = await createConditionalUpdate()
  const runSequentially = (work: (writer: number) => Promise<unknown>) => async () => {
    for (let i = 0; i < 2 * EDITS; i++) await work(0)
  }
  const runConcurrently = (work: (writer: number) => Promise<unknown>) => () =>
    Promise.all(
      stores.map(async (_, writer) => {
        for (let i = 0; i < EDITS; i++) await work(writer)
      }),
    )
  const reference = 'conditional UpdateItems'
  const warm = { warmUp: 10, rounds: 15 }
  return [
    {
      ...{ what: '20 sequential edits of one cell', reference, target: 6, ...warm, growth: 'flat' },
      ...{ work: runSequentially(createEdit('phone')), runReference: runSequentially(conditional) },
    },
    {
      ...{ what: '8 writers, 10 edits each', reference, target: 6, ...warm, growth: 'flat' },
      ...{ work: runConcurrently(createEdit('company')), runReference: runConcurrently(conditional) },
    },
    {
      ...{ what: '8 writers, 10 edits each of a unique cell', reference, target: 12, ...warm },
      ...{ work: runConcurrently(createEdit('email')), runReference: runConcurrently(conditional) },
    },
  ]
}
