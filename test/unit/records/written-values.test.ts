import { expect, it } from 'vitest'
import { listWrittenValuesByField } from '../../../lib/records/read/written-values.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { engine, importRows, update, remove } = await startRecordSuite()

const COUNTRIES = ['Chile', 'Peru', 'Peru', '"quoted", ü']
const createSheet = () => ({
  sheetId: newSheetId(),
  fields: ['country', 'amount', 'empty'].map((key) => ({ key, type: 'string' })),
})
async function* generateRows(count: number) {
  const getRow = (row: number) => [COUNTRIES[row % 4]!, row % 5 === 0 ? 'none' : String(row), '']
  for (let from = 0; from < count; from += 10_000)
    yield {
      keys: ['country', 'amount', 'empty'],
      rows: Array.from({ length: Math.min(10_000, count - from) }, (_, i) => getRow(from + i)),
    }
}

it.each([
  ['of a few records', 40],
  ['of so many that threads count them', 320_000],
])(
  'the values %s are listed by frequency, with the edits, without deleted records',
  async (_, count) => {
    const sheet = createSheet()
    const { ids } = await importRows(sheet, generateRows(count))
    const [first, second] = [...ids]
    await update(sheet, [{ id: first!, values: { country: { value: 'Chile!' } } }])
    await remove(sheet, [second!])
    const fields = ['amount', 'country', 'empty', 'country']
    const values = await listWrittenValuesByField(
      sheet,
      { fields, numberFields: new Set(['amount']) },
      engine.createStore(),
    )
    expect(values.get('country')).toEqual(['Peru', expect.any(String), expect.any(String), 'Chile!'])
    expect(new Set(values.get('country'))).toEqual(new Set([...COUNTRIES, 'Chile!']))
    expect(values.get('empty')).toEqual([null])
    const [none, ...numbers] = values.get('amount')!
    expect(none).toBe('none')
    expect(numbers).toContain(String(count - 1))
    expect(numbers).toContain('2')
    expect(numbers).not.toContain('1')
    expect(numbers.length).toBeLessThan(30)
  },
  30_000,
)

it('nothing is listed of a sheet without records', async () => {
  const values = await listWrittenValuesByField(createSheet(), { fields: ['country'], numberFields: new Set() })
  expect(values).toEqual(new Map([['country', []]]))
})
