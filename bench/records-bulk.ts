import type { SheetRef, Store } from '../lib/records/index.ts'
import { createWriteContext } from '../test/support/records.ts'
import type { Case } from './cases.ts'
import { createColdReader } from './columns.ts'
import { KEYS } from './records-data.ts'
import { PARSING, parse } from './records-import.ts'
import { createConditionalUpdate } from './requests.ts'

const CITIES = ['Springfield', 'Winterfell']
const TENTH = 'amount lt 1000'

export async function bulkCases(sheet: SheetRef, bytes: Buffer, rows: number): Promise<Case[]> {
  const { bulkUpdate, findReplace, createStore, remove, restoreVersion, readVersion } = await import(
    '../lib/records/index.ts'
  )
  const store = createStore({ sheetRows: rows })
  const rounds = rows >= 1_000_000 ? 1 : 5
  const runReference = () => parse(bytes, rows)
  const { seq } = await readVersion(sheet, store)
  const restoreAll = () => restoreVersion(sheet, { to: seq }, createWriteContext(), store)
  const cold = await createColdReader(sheet)
  const update = await createConditionalUpdate()
  let round = 0
  const createAllCase = (what: string, work: () => Promise<{ updated: number }>): Case => ({
    ...{ what, reference: PARSING, target: 3.5, rounds, growth: 'linear', runReference },
    work: async () => {
      const { updated } = await work()
      if (updated !== rows) throw new Error(`Changed ${updated} rows of ${rows}`)
    },
  })
  const nextReplacement = () => ({ fields: ['city'], find: CITIES[round % 2]!, replace: CITIES[++round % 2]! })
  return [
    createAllCase('find and replace in all records', () =>
      findReplace(sheet, {}, nextReplacement(), createWriteContext(), store),
    ),
    createAllCase('setting one cell in all records', () =>
      bulkUpdate(sheet, {}, { phone: { value: `p${++round}` } }, createWriteContext(), store),
    ),
    {
      ...{ what: 'deleting a tenth by query', reference: 'reading the required columns', target: 3, rounds },
      ...{ growth: 'linear', before: restoreAll, work: () => remove(sheet, { q: TENTH }, createWriteContext(), store) },
      runReference: cold.createRead(['amount', 'customer_id', 'email'], true),
    },
    {
      ...{ what: 'deleting all', reference: 'one UpdateItem', target: 10, rounds, before: restoreAll, growth: 'flat' },
      ...{ work: () => remove(sheet, { filter: 'all' }, createWriteContext(), store), runReference: () => update(0) },
    },
  ]
}

export async function fileCases(sheet: SheetRef, rows: number): Promise<Case[]> {
  const { streamCsv, streamJsonl } = await import('../lib/records/index.ts')
  const cold = await createColdReader(sheet)
  const createExportCase = (what: string, stream: (store: Store) => AsyncIterable<Buffer>): Case => ({
    ...{ what, reference: 'reading all columns', target: 3, rounds: rows >= 1_000_000 ? 1 : 5, growth: 'linear' },
    work: async () => {
      let length = 0
      for await (const buffer of stream(cold.store())) length += buffer.length
      if (length < rows * 50) throw new Error(`${length} bytes of ${rows} records`)
    },
    runReference: cold.createRead(KEYS, true),
  })
  return [
    createExportCase('all records as JSON lines', (store) => streamJsonl(sheet, {}, { includeMessages: true }, store)),
    createExportCase('all records as CSV', (store) => streamCsv(sheet, {}, {}, store)),
  ]
}
