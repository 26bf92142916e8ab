/** Pages are rendered to exactly the same bytes as JSON.stringify. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinColumn, locateCells } from '../../../lib/records/columns/columns.ts'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { engine, insert, update, remove } = await startRecordSuite()

describe('column cells', () => {
  it('are found at any row, in any order of access', () => {
    const column = fc.array(fc.json({ maxDepth: 1 }), { minLength: 1, maxLength: 700 })
    const looks = fc.array(fc.array(fc.nat(699), { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(column, looks, (texts, all) => {
        const raw = joinColumn(texts)
        for (const look of all) {
          const rows = [...new Set(look.map((row) => row % texts.length))].sort((a, b) => a - b)
          const { starts, ends } = locateCells(raw, rows)
          expect(rows.map((_, i) => raw.toString('utf8', starts[i], ends[i]))).toEqual(rows.map((row) => texts[row]))
        }
      }),
    )
  })

  it('are empty past the end of the text, on repeated access too', () => {
    const raw = joinColumn(Array.from({ length: 130 }, (_, i) => String(i)))
    for (let look = 0; look < 2; look++) {
      const { starts, ends } = locateCells(raw, [129, 130, 500])
      expect(raw.toString('utf8', starts[0], ends[0])).toBe('129')
      for (const i of [1, 2]) expect(raw.toString('utf8', starts[i], Math.max(starts[i]!, ends[i]!))).toBe('')
    }
  })
})

describe('rendered page', () => {
  const createSheet = (): SheetRef => ({
    sheetId: newSheetId(),
    fields: [
      { key: 'name "quoted" ü', type: 'string', constraints: [{ type: 'required' }] },
      { key: 'code', type: 'string', constraints: [{ type: 'unique' }] },
      { key: 'amount', type: 'number' },
      { key: 'tags', type: 'string-list' },
    ],
  })

  const value = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a', 'b', 'n/a'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.array(fc.string(), { maxLength: 3 }),
  )
  const message = fc.record({ type: fc.constantFrom('error', 'warn', 'info'), message: fc.string({ unit: 'binary' }) })
  const arbitraryRecord = ({ fields }: SheetRef) =>
    fc.record({
      values: fc.tuple(...fields.map(() => value)),
      messages: fc.option(fc.array(message, { maxLength: 2 }), { freq: 3 }),
      metadata: fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { noNullPrototype: true }), {
        freq: 3,
      }),
      edited: fc.option(value, { freq: 3 }),
      removed: fc.boolean(),
    })

  it('has the bytes of JSON.stringify, and pages are slices of the whole', async () => {
    const shape = createSheet()
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryRecord(shape), { minLength: 1, maxLength: 60 }), async (records) => {
        const sheet = { ...shape, sheetId: newSheetId() }
        const inputs = records.map(({ values, messages, metadata }) => ({
          values: Object.fromEntries(
            sheet.fields.map(({ key }, i) => [key, { value: values[i], ...(i === 0 && messages ? { messages } : {}) }]),
          ),
          metadata,
        }))
        const ids = [...(await insert(sheet, inputs)).ids]
        const updates = records.flatMap(({ edited }, i) =>
          edited === null ? [] : [{ id: ids[i]!, values: { code: { value: edited } } }],
        )
        if (updates.length) await update(sheet, updates)
        const gone = ids.filter((_, i) => records[i]!.removed)
        if (gone.length) await remove(sheet, { ids: gone })

        const whole = (await engine.listRecords(sheet)).records.toString()
        const all = JSON.parse(whole)
        expect(whole).toBe(JSON.stringify(all))
        expect(all.map(({ id }: { id: string }) => id)).toEqual(ids.filter((id) => !gone.includes(id)))
        const pages = []
        for (const pageNumber of [3, 1, 2]) {
          const { records: page } = await engine.listRecords(sheet, { pageSize: 7, pageNumber })
          expect(page.toString()).toBe(JSON.stringify(all.slice((pageNumber - 1) * 7, pageNumber * 7)))
          pages.push(page)
        }
        const bare = await engine.listRecords(sheet, { includeMessages: false, fields: ['amount'] })
        expect(JSON.parse(bare.records.toString())).toEqual(
          all.map((record: { values: { amount: object } }) => ({
            ...record,
            values: { amount: { ...record.values.amount, messages: [] } },
          })),
        )
      }),
      { numRuns: 12 },
    )
  })

  it('keeps its bytes when later pages are rendered', async () => {
    const sheet = createSheet()
    const rows = Array.from({ length: 300 }, (_, i) => ({ values: { code: { value: `c${i}` } } }))
    await insert(sheet, rows)
    const { records } = await engine.listRecords(sheet, { pageSize: 100 })
    const before = records.toString()
    await engine.listRecords(sheet, { pageSize: 100, pageNumber: 2 })
    expect(records.toString()).toBe(before)
  })
})
