/** Changes of many records, and files of all of them, beside parsing a file of the sheet or reading its columns. */
import type { SheetRef, Store } from '../../lib/records/index.ts'
import { by } from '../support/records.ts'
import type { Case } from './cases.ts'
import { coldReads } from './columns.ts'
import { KEYS } from './records-data.ts'
import { PARSING, parse } from './records-import.ts'
import { conditionalUpdate } from './requests.ts'

const CITIES = ['Springfield', 'Winterfell']
/** Amounts are spread evenly below 10,000. */
const TENTH = 'amount lt 1000'

export async function bulkCases(sheet: SheetRef, bytes: Buffer, rows: number): Promise<Case[]> {
  const { bulkUpdate, findReplace, newStore, remove, restore, versionOf } = await import('../../lib/records/index.ts')
  const store = newStore({ sheetRows: rows })
  const rounds = rows >= 1_000_000 ? 1 : 5
  const beside = () => parse(bytes, rows)
  const { seq } = await versionOf(sheet, store)
  const whole = () => restore(sheet, { to: seq }, by(), store)
  const cold = await coldReads(sheet)
  const update = await conditionalUpdate()
  let round = 0
  const all = (what: string, work: () => Promise<{ updated: number }>): Case => ({
    ...{ what, reference: PARSING, reach: 3.5, rounds, growth: 'linear', beside },
    work: async () => {
      const { updated } = await work()
      if (updated !== rows) throw new Error(`Changed ${updated} rows of ${rows}`)
    },
  })
  const replacement = () => ({ field: 'city', find: CITIES[round % 2]!, replace: CITIES[++round % 2]! })
  return [
    all('find and replace in all records', () => findReplace(sheet, {}, replacement(), by(), store)),
    all('the same cell in all records', () => bulkUpdate(sheet, {}, { phone: { value: `p${++round}` } }, by(), store)),
    {
      ...{ what: 'deleting a tenth by query', reference: 'reading the columns it needs', reach: 3, rounds },
      ...{ growth: 'linear', before: whole, work: () => remove(sheet, { q: TENTH }, by(), store) },
      beside: cold.reading(['amount', 'customer_id', 'email'], true),
    },
    {
      ...{ what: 'deleting all', reference: 'one UpdateItem', reach: 10, rounds, before: whole, growth: 'flat' },
      ...{ work: () => remove(sheet, { filter: 'all' }, by(), store), beside: () => update(0) },
    },
  ]
}

export async function fileCases(sheet: SheetRef, rows: number): Promise<Case[]> {
  const { streamCsv, streamJsonl } = await import('../../lib/records/index.ts')
  const cold = await coldReads(sheet)
  const out = (what: string, stream: (store: Store) => AsyncIterable<Buffer>): Case => ({
    ...{ what, reference: 'reading all columns', reach: 3, rounds: rows >= 1_000_000 ? 1 : 5, growth: 'linear' },
    work: async () => {
      let length = 0
      for await (const buffer of stream(cold.store())) length += buffer.length
      if (length < rows * 50) throw new Error(`${length} bytes of ${rows} records`)
    },
    beside: cold.reading(KEYS, true),
  })
  return [
    out('all records as JSON lines', (store) => streamJsonl(sheet, {}, { includeMessages: true }, store)),
    out('all records as CSV', (store) => streamCsv(sheet, {}, {}, store)),
  ]
}
