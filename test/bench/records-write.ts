/** Editing a sheet beside as many conditional updates of one item. */
import type { SheetRef } from '../../lib/records/index.ts'
import { by } from '../support/records.ts'
import type { Case } from './cases.ts'
import { conditionalUpdate } from './requests.ts'

const WRITERS = 8
const EDITS = 10

/** @param ids of records spread over the sheet */
export async function writeCases(sheet: SheetRef, ids: readonly string[]): Promise<Case[]> {
  const { newStore, update } = await import('../../lib/records/index.ts')
  const stores = Array.from({ length: WRITERS }, () => newStore())
  let made = 0
  const edit = (key: string) => (writer: number) => {
    const id = ids[(++made * 7919) % ids.length]!
    return update(sheet, [{ id, values: { [key]: { value: `v${made}` } } }], by(), stores[writer])
  }
  const conditional = await conditionalUpdate()
  const alone = (work: (writer: number) => Promise<unknown>) => async () => {
    for (let i = 0; i < 2 * EDITS; i++) await work(0)
  }
  const together = (work: (writer: number) => Promise<unknown>) => () =>
    Promise.all(
      stores.map(async (_, writer) => {
        for (let i = 0; i < EDITS; i++) await work(writer)
      }),
    )
  const reference = 'conditional UpdateItems'
  // The compiler is done after about as many.
  const warm = { warmUp: 10, rounds: 15 }
  return [
    {
      ...{ what: '20 edits of one cell, in turn', reference, reach: 6, ...warm, growth: 'flat' },
      ...{ work: alone(edit('phone')), beside: alone(conditional) },
    },
    {
      ...{ what: '8 writers, 10 edits each', reference, reach: 6, ...warm, growth: 'flat' },
      ...{ work: together(edit('company')), beside: together(conditional) },
    },
    {
      ...{ what: '8 writers, 10 edits each of a unique cell', reference, reach: 12, ...warm },
      ...{ work: together(edit('email')), beside: together(conditional) },
    },
  ]
}
