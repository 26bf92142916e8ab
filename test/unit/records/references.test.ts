/** Reference fields: values that must be found in another sheet of the workbook, and the records they link to. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../../lib/records/log/store.ts'
import type { Field, SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'
import { NO_SEGMENT } from '../../support/segment.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
})
afterAll(() => cloud.close())
beforeEach(() => cloud.meter.reset())

/** Sheets by slug that know each other, as those of a workbook do. */
function workbook(sheets: { [slug: string]: Field[] }) {
  const refs: { [slug: string]: SheetRef } = {}
  for (const [slug, fields] of Object.entries(sheets))
    refs[slug] = { sheetId: newSheetId(), fields, linked: async (name) => refs[name] }
  return refs as { [slug: string]: SheetRef } & { customers: SheetRef; orders: SheetRef }
}

const text = (key: string): Field => ({ key, type: 'string' })
const reference = (key: string, config: object, type = 'reference'): Field => ({ key, type, config })
const shop = (config: object = {}, type = 'reference') =>
  workbook({
    customers: [text('id'), text('country')],
    orders: [text('name'), text('land'), reference('customer', { ref: '/customers', key: 'id', ...config }, type)],
  })

type Values = { [field: string]: unknown }
const rowOf = (values: Values) => ({
  values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])),
})
const add = async (sheet: SheetRef, rows: Values[], store?: Store): Promise<string[]> => [
  ...(await engine.insert(sheet, rows.map(rowOf), by(), store)).ids,
]
const change = (sheet: SheetRef, id: string, values: Values, store?: Store) =>
  engine.update(sheet, [{ id, ...rowOf(values) }], by(), store)

const unlinkedIn = (records: readonly WireRecord[], field: string): unknown[] =>
  records
    .filter(({ values }) => values[field]!.messages.some(({ source }) => source === 'unlinked'))
    .map(({ values }) => values[field]!.value)

/** Unlinked values of a field; checks that all counts say the same. */
async function unlinked(sheet: SheetRef, field = 'customer', store?: Store): Promise<unknown[]> {
  const { records } = await engine.read(sheet, {}, store)
  const broken = unlinkedIn(records, field)
  const error = records.filter(({ valid }) => !valid).length
  const counts = { total: records.length, valid: records.length - error, error }
  expect(await engine.counts(sheet, {}, store)).toEqual(counts)
  const byField = await engine.counts(sheet, { byField: true }, store)
  expect(byField).toMatchObject(counts)
  expect(byField.errorsByField?.[field] ?? 0).toBe(broken.length)
  expect((await engine.read(sheet, { filter: 'error', filterField: field }, store)).records).toHaveLength(broken.length)
  return broken
}

describe('a reference', () => {
  it('is judged in the answer to a restore already', async () => {
    const { customers, orders } = shop()
    const [customer] = await add(customers, [{ id: 'c1' }])
    const [order] = await add(orders, [{ customer: 'c1' }])
    const { seq: whole } = await engine.versionOf(orders)
    await engine.remove(orders, [order!], by())
    await engine.remove(customers, [customer!], by())
    await add(orders, [{ name: 'later' }])
    const part = await engine.restore(orders, { to: whole, deleted: true }, by())
    expect(part.counts).toEqual({ total: 2, valid: 1, error: 1 })
    await engine.remove(orders, { filter: 'all' }, by())
    const all = await engine.restore(orders, { to: whole }, by())
    expect(all.counts).toEqual({ total: 1, valid: 0, error: 1 })
    expect(await unlinked(orders)).toEqual(['c1'])
  })

  it('is unlinked until the other sheet has its value', async () => {
    const { customers, orders } = shop()
    await add(orders, [{ name: 'a', customer: 'c1' }, { name: 'b', customer: 'c2' }, { name: 'c' }])
    expect(await unlinked(orders)).toEqual(['c1', 'c2'])
    await add(customers, [{ id: 'c1' }])
    expect(await unlinked(orders)).toEqual(['c2'])
    await add(orders, [{ customer: 'c1' }, { customer: 'c3' }])
    expect(await unlinked(orders)).toEqual(['c2', 'c3'])
    const [record] = (await engine.read(orders, { filter: 'error' })).records
    expect(record!.values.customer).toEqual({
      value: 'c2',
      messages: [
        {
          type: 'error',
          source: 'unlinked',
          message: 'This value is not in the sheet it refers to',
          field: 'customer',
        },
      ],
      valid: false,
    })
  })

  it('follows every change of either sheet', async () => {
    const { customers, orders } = shop()
    const [first, second] = await add(customers, [{ id: 'c1' }, { id: 'c2' }])
    const [order] = await add(orders, [{ customer: 'c1' }, { customer: 'c2' }])
    expect(await unlinked(orders)).toEqual([])
    await change(customers, first!, { id: 'renamed' })
    expect(await unlinked(orders)).toEqual(['c1'])
    await change(orders, order!, { customer: 'renamed' })
    expect(await unlinked(orders)).toEqual([])
    await change(customers, second!, { country: 'DE' })
    expect(await unlinked(orders)).toEqual([])
    await engine.remove(customers, [second!], by())
    expect(await unlinked(orders)).toEqual(['c2'])
    await engine.remove(customers, { filter: 'all' }, by())
    expect(await unlinked(orders)).toEqual(['renamed', 'c2'])
    await engine.remove(orders, [order!], by())
    expect(await unlinked(orders)).toEqual(['c2'])
    await change(orders, (await engine.read(orders)).records[0]!.id, { customer: null })
    expect(await unlinked(orders)).toEqual([])
  })

  it('compares numbers and texts by their text, and keeps a value of which another copy stays', async () => {
    const { customers, orders } = shop()
    const [first] = await add(customers, [{ id: 7 }, { id: '7' }, { id: true }])
    await add(orders, [{ customer: '7' }, { customer: 7 }, { customer: 'true' }, { customer: '7.0' }])
    expect(await unlinked(orders)).toEqual(['7.0'])
    await engine.remove(customers, [first!], by())
    expect(await unlinked(orders)).toEqual(['7.0'])
  })

  it('of a list is unlinked when one of its values is', async () => {
    const { customers, orders } = shop({}, 'reference-list')
    const [first] = await add(customers, [{ id: 'c1' }, { id: 'c2' }])
    await add(orders, [{ customer: ['c1', 'c2'] }, { customer: ['c1', 'x'] }, { customer: [] }, { customer: ['c2'] }])
    expect(await unlinked(orders)).toEqual([['c1', 'x']])
    await engine.remove(customers, [first!], by())
    expect(await unlinked(orders)).toEqual([
      ['c1', 'c2'],
      ['c1', 'x'],
    ])
  })

  it('with a filter needs a record whose filter field has the value of its own record', async () => {
    const { customers, orders } = shop({ filter: { refField: 'country', recordField: 'land' } })
    const [first] = await add(customers, [{ id: 'c1', country: 'DE' }, { id: 'c2', country: 'FR' }, { id: 'c3' }])
    const [, second] = await add(orders, [
      { customer: 'c1', land: 'DE' },
      { customer: 'c1', land: 'FR' },
      { customer: 'c3' },
      { customer: 'c2' },
    ])
    expect(await unlinked(orders)).toEqual(['c1', 'c2'])
    await change(orders, second!, { land: 'DE' })
    expect(await unlinked(orders)).toEqual(['c2'])
    await change(customers, first!, { country: 'IT' })
    expect(await unlinked(orders)).toEqual(['c1', 'c1', 'c2'])
  })

  it('to a sheet or field that is not there is not judged, and is once it comes', async () => {
    const { customers, ...others } = shop()
    const orders: SheetRef = { ...others.orders!, linked: async () => undefined }
    const found: SheetRef = { ...orders, linked: async () => customers }
    const keyless: SheetRef = { ...orders, linked: async () => ({ ...customers, fields: [text('country')] }) }
    await add(customers, [{ id: 'c1' }])
    await add(orders, [{ customer: 'x' }])
    expect(await unlinked(orders)).toEqual([])
    expect(await unlinked(found)).toEqual(['x'])
    expect(await unlinked(keyless)).toEqual([])
    await add(keyless, [{ customer: 'y' }])
    expect(await unlinked(keyless)).toEqual([])
    expect(await unlinked(found)).toEqual(['x', 'y'])
    const blind: SheetRef = { sheetId: orders.sheetId, fields: orders.fields }
    expect(unlinkedIn((await engine.read(blind)).records, 'customer')).toEqual(['x', 'y'])
  })

  it('to the sheet itself sees the records beside it', async () => {
    const { people } = workbook({ people: [text('id'), reference('boss', { ref: 'people', key: 'id' })] })
    const [root] = await add(people!, [{ id: 'a' }, { id: 'b', boss: 'a' }, { id: 'c', boss: 'd' }])
    expect(await unlinked(people!, 'boss')).toEqual(['d'])
    await add(people!, [{ id: 'd', boss: 'c' }])
    expect(await unlinked(people!, 'boss')).toEqual([])
    await engine.remove(people!, [root!], by())
    expect(await unlinked(people!, 'boss')).toEqual(['a'])
  })

  it('may lead in a circle', async () => {
    const { a, b } = workbook({
      a: [text('id'), reference('b', { ref: 'b', key: 'id' })],
      b: [text('id'), reference('a', { ref: 'a', key: 'id' })],
    })
    await add(a!, [
      { id: 'a1', b: 'b1' },
      { id: 'a2', b: 'b2' },
    ])
    await add(b!, [
      { id: 'b1', a: 'a1' },
      { id: 'b3', a: 'a3' },
    ])
    expect(await unlinked(a!, 'b')).toEqual(['b2'])
    expect(await unlinked(b!, 'a')).toEqual(['a3'])
  })

  it('is judged anew when it comes to point elsewhere', async () => {
    const sheets = shop()
    const { customers, orders } = sheets
    await add(customers, [{ id: 'c1', country: 'DE' }])
    await add(orders, [{ customer: 'c1' }, { customer: 'DE' }])
    expect(await unlinked(orders)).toEqual(['DE'])
    const pointing = (config: object): SheetRef => ({
      ...orders,
      fields: [text('name'), reference('customer', config)],
    })
    expect(await unlinked(pointing({ ref: 'customers', key: 'country' }))).toEqual(['c1'])
    expect(await unlinked(pointing({ ref: 'nowhere', key: 'country' }))).toEqual([])
    expect(await unlinked({ ...orders, fields: [text('name'), text('customer')] })).toEqual([])
    expect(await unlinked(orders)).toEqual(['DE'])
    const { fields } = customers
    expect(await unlinked({ ...orders, linked: async () => ({ ...customers, fields: fields.slice(1) }) })).toEqual([])
  })

  it('has its message beside those of constraints and hooks', async () => {
    const { customers, orders } = shop()
    const unique: SheetRef = {
      ...orders,
      fields: [reference('customer', orders.fields[2]!.config as object)].map((field) => ({
        ...field,
        constraints: [{ type: 'unique' }],
      })),
    }
    await add(customers, [{ id: 'c1' }])
    const [id] = await add(unique, [{ customer: 'x' }, { customer: 'x' }])
    const messages = [{ type: 'warn', message: 'hm' }]
    await engine.update(unique, [{ id: id!, values: { customer: { messages } } }], by())
    const cell = (await engine.read(unique)).records[0]!.values.customer!
    expect(cell.messages.map(({ source }) => source)).toEqual(['custom-logic', 'unique-constraint', 'unlinked'])
    expect(await unlinked(unique)).toEqual(['x', 'x'])
  })
})

describe('judging references', () => {
  it('makes no commit and, when no flag changes, no entry', async () => {
    const { customers, orders } = shop()
    await add(customers, [{ id: 'c1' }])
    await add(orders, [{ customer: 'c1' }])
    const { commitId } = await engine.read(orders)
    await engine.read(orders)
    cloud.meter.reset()
    await engine.read(orders)
    expect(cloud.meter.count()).toBe(2)
    expect(cloud.meter.count('GetItem')).toBe(2)
    await add(customers, [{ id: 'c2' }])
    const before = cloud.meter.written
    await engine.read(orders)
    expect(cloud.meter.written).toBe(before)
    await engine.remove(customers, { filter: 'all' }, by())
    expect((await engine.read(orders)).commitId).toBe(commitId)
    expect(await unlinked(orders)).toEqual(['c1'])
    expect(await engine.commits(orders.sheetId)).toHaveLength(1)
  })

  it('is right in every process, also when two judge at once', async () => {
    const { customers, orders } = shop()
    const [here, there] = [engine.newStore(), engine.newStore()]
    const [first] = await add(customers, [{ id: 'c1' }, { id: 'c2' }], here)
    await add(orders, [{ customer: 'c1' }, { customer: 'c2' }, { customer: 'c3' }], there)
    expect(await unlinked(orders, 'customer', here)).toEqual(['c3'])
    expect(await unlinked(orders, 'customer', there)).toEqual(['c3'])
    await change(customers, first!, { id: 'c3' }, there)
    const both = await Promise.all([here, there].map((store) => engine.read(orders, {}, store)))
    for (const { records } of both) expect(unlinkedIn(records, 'customer')).toEqual(['c1'])
    expect(await unlinked(orders, 'customer', engine.newStore())).toEqual(['c1'])
  })

  it('holds over many rows in many segments', async () => {
    const { customers, orders } = shop()
    const store = engine.newStore({ segmentRows: 700, editedRows: 50 })
    const ids = await add(
      customers,
      Array.from({ length: 3000 }, (_, i) => ({ id: `c${i}` })),
      store,
    )
    await add(
      orders,
      Array.from({ length: 2500 }, (_, i) => ({ name: `o${i}`, customer: `c${(i * 7) % 3500}` })),
      store,
    )
    const expected = async (isGone: (n: number) => boolean) => {
      const all = Array.from({ length: 2500 }, (_, i) => (i * 7) % 3500)
      expect(await unlinked(orders, 'customer', store)).toEqual(all.filter(isGone).map((n) => `c${n}`))
    }
    await expected((n) => n >= 3000)
    await engine.remove(customers, ids.slice(100, 1500).slice(0, 100), by(), store)
    await expected((n) => n >= 3000 || (n >= 100 && n < 200))
    await engine.remove(customers, { search: { value: 'c2', field: 'id' } }, by(), store)
    await expected((n) => n >= 3000 || (n >= 100 && n < 200) || String(n).startsWith('2'))
    await add(
      customers,
      Array.from({ length: 2000 }, (_, i) => ({ id: `c${i + 2000}` })),
      store,
    )
    await expected((n) => (n >= 100 && n < 200) || (n < 2000 && String(n).startsWith('2')))
  })

  it('agrees with a naive look-up after any writes to both sheets', { timeout: 60_000 }, async () => {
    const value = fc.constantFrom(null, 'a', 'b', 'c', 1, '1')
    const list = fc.option(fc.array(fc.constantFrom('a', 'b', 1), { maxLength: 2 }))
    const customer = fc.record({ id: value, country: value })
    const order = fc.record({ one: value, within: value, many: list, land: value })
    const at = fc.nat(5)
    const step = fc.oneof(
      fc.record({ on: fc.constant('customers'), rows: fc.array(customer, { minLength: 1, maxLength: 3 }) }),
      fc.record({ on: fc.constant('orders'), rows: fc.array(order, { minLength: 1, maxLength: 3 }) }),
      fc.record({
        on: fc.constant('customers'),
        at,
        change: fc.record({ id: value, country: value }, { requiredKeys: [] }),
      }),
      fc.record({
        on: fc.constant('orders'),
        at,
        change: fc.record({ one: value, within: value, many: list, land: value }, { requiredKeys: [] }),
      }),
      fc.record({ on: fc.constantFrom('customers', 'orders'), at }),
      fc.record({ look: fc.nat(1) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const to = { ref: 'customers', key: 'id' }
        const sheets = workbook({
          customers: [text('id'), text('country')],
          orders: [
            reference('one', to),
            reference('within', { ...to, filter: { refField: 'country', recordField: 'land' } }),
            reference('many', to, 'reference-list'),
            text('land'),
          ],
        })
        const stores = [0, 1].map(() => engine.newStore({ segmentRows: 2, editedRows: 2 }))
        const model: { [sheet: string]: { id: string; values: Values }[] } = { customers: [], orders: [] }
        for (const [i, step] of [...steps, { look: 0 }].entries()) {
          const store = stores[i % 2]!
          if ('look' in step) {
            const { records } = await engine.read(sheets.orders, {}, store)
            expect(records.map(brokenFields)).toEqual(naive(model.customers!, model.orders!))
            expect((await engine.counts(sheets.orders, {}, store)).error).toBe(
              naive(model.customers!, model.orders!).filter(({ length }) => length > 0).length,
            )
            continue
          }
          const sheet = sheets[step.on]!
          const rows = model[step.on]!
          if ('rows' in step) {
            const ids = await add(sheet, step.rows, store)
            for (const [row, values] of step.rows.entries())
              rows.push({ id: ids[row]!, values: { ...values } as Values })
          } else if (rows.length) {
            const row = rows[step.at % rows.length]!
            if ('change' in step) {
              await change(sheet, row.id, step.change as Values, store)
              Object.assign(row.values, step.change)
            } else {
              await engine.remove(sheet, [row.id], by(), store)
              rows.splice(rows.indexOf(row), 1)
            }
          }
        }
      }),
      { numRuns: 12 },
    )
  })
})

const brokenFields = ({ values }: WireRecord): string[] =>
  Object.keys(values).filter((key) => values[key]!.messages.some(({ source }) => source === 'unlinked'))

function naive(customers: { values: Values }[], orders: { values: Values }[]): string[][] {
  const has = (value: unknown, test: (customer: Values) => boolean = () => true): boolean =>
    customers.some(({ values }) => values.id !== null && String(values.id) === String(value) && test(values))
  const sameText = (a: unknown, b: unknown) => (a === null) === (b === null) && String(a) === String(b)
  return orders.map(({ values }) => {
    const broken: string[] = []
    if (values.one !== null && !has(values.one)) broken.push('one')
    if (values.within !== null && !has(values.within, ({ country }) => sameText(country, values.land)))
      broken.push('within')
    const many = (values.many ?? []) as unknown[]
    if (!many.every((one) => has(one))) broken.push('many')
    return broken
  })
}

describe('links', () => {
  const links = async (sheet: SheetRef, field = 'customer', query = {}) =>
    (await engine.read(sheet, { includeLinks: true, ...query })).records.map((record) => record.values[field]!.links)
  const ids = (records: readonly WireRecord[] | undefined) => records?.map(({ values }) => values.id!.value)

  it('are the full records with the value, messages included, and are none where nothing is linked', async () => {
    const { customers, orders } = shop()
    const strict: SheetRef = {
      ...customers,
      fields: [text('id'), { ...text('country'), constraints: [{ type: 'required' }] }],
    }
    const linking: SheetRef = { ...orders, linked: async () => strict }
    await add(strict, [{ id: 'c1', country: 'DE' }, { id: 'ü "1"' }, { id: 'c1' }])
    await add(linking, [{ customer: 'ü "1"' }, { customer: 'x' }, {}, { customer: 'c1' }])
    const { records } = await engine.read(strict)
    expect(await links(linking)).toEqual([[records[1]], [], [], [records[0], records[2]]])
    expect(records[1]!.valid).toBe(false)
    const [plain] = (await engine.read(linking, { includeLinks: true })).records
    expect(Object.keys(plain!.values.name!)).toEqual(['value', 'messages', 'valid'])
    const [without] = (await engine.read(linking)).records
    expect(Object.keys(without!.values.customer!)).toEqual(['value', 'messages', 'valid'])
  })

  it('of a list are those of its values in order, of a has-one reference at most one', async () => {
    const list = shop({}, 'reference-list')
    const rows = ['a', 'b', 'a', 'c'].map((id) => ({ id }))
    await add(list.customers, rows)
    await add(list.orders, [{ customer: ['c', 'a', 'c', 'x'] }, { customer: 'b' }])
    expect((await links(list.orders)).map(ids)).toEqual([['c', 'a', 'a'], ['b']])
    const one = shop({ relationship: 'has-one' })
    await add(one.customers, rows)
    await add(one.orders, [{ customer: 'a' }, { customer: 'x' }])
    expect((await links(one.orders)).map(ids)).toEqual([['a'], []])
  })

  it('heed the filter, follow edits, and stop at ten a value', async () => {
    const { customers, orders } = shop({ filter: { refField: 'country', recordField: 'land' } })
    const countries = Array.from({ length: 30 }, (_, i) => ({ id: 'c', country: i % 2 ? 'DE' : 'FR' }))
    const [first, second] = await add(customers, countries)
    await add(orders, [{ customer: 'c', land: 'DE' }, { customer: 'c' }])
    const all = (await engine.read(customers)).records.filter(({ values }) => values.country!.value === 'DE')
    expect(await links(orders)).toEqual([all.slice(0, 10), []])
    await change(customers, first!, { country: 'DE' })
    await engine.remove(customers, [second!], by())
    const now = (await engine.read(customers)).records.filter(({ values }) => values.country!.value === 'DE')
    expect(await links(orders)).toEqual([now.slice(0, 10), []])
  })

  it('come with pages, chosen fields and any order, read in few requests', async () => {
    const { customers, orders } = shop()
    const store = engine.newStore({ segmentRows: 50, blobItemBytes: 0 })
    await add(
      customers,
      Array.from({ length: 200 }, (_, i) => ({ id: `c${i}` })),
      store,
    )
    await add(
      orders,
      Array.from({ length: 300 }, (_, i) => ({ name: `o${i}`, customer: `c${i % 250}` })),
      store,
    )
    const query = { includeLinks: true, fields: ['customer'], pageSize: 20, pageNumber: 2 }
    await engine.read(orders, query, store)
    cloud.meter.reset()
    const sorted = { ...query, sort: { field: 'name', direction: 'desc' as const } }
    const { records } = await engine.read(orders, sorted, store)
    expect(cloud.meter.count()).toBeLessThanOrEqual(12)
    for (const { values } of records) {
      const linked = ids(values.customer!.links)
      expect(linked).toEqual(Number(String(values.customer!.value).slice(1)) < 200 ? [values.customer!.value] : [])
    }
  })

  it('of sheets in a circle end after one step', async () => {
    const { people } = workbook({ people: [text('id'), reference('boss', { ref: 'people', key: 'id' })] })
    await add(people!, [
      { id: 'a', boss: 'b' },
      { id: 'b', boss: 'a' },
    ])
    const found = await links(people!, 'boss')
    expect(found.map(ids)).toEqual([['b'], ['a']])
    expect(found[0]![0]!.values.boss!.links).toBeUndefined()
  })
})

describe('hash lists', () => {
  it('of column bytes are those of the values, and tell the same after a change as from nothing', async () => {
    const [{ hashLists }, { absentFrom, judged }, { hashesOf }, { textOf }] = await Promise.all([
      import('../../../lib/records/rules/lookup.ts'),
      import('../../../lib/records/rules/meet.ts'),
      import('../../../lib/records/rules/unique.ts'),
      import('../../../lib/records/rules/values.ts'),
    ])
    const cell = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.constantFrom('a', 'b', 'c', 'née', '"', '\\', 'n', ',\n'),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.constant(['a', { b: 1 }]),
    )
    const key = {
      id: 'key',
      columns: ['v.f'],
      texts: ([value]: readonly unknown[]) => (value == null ? [] : [textOf(value)]),
    }
    const listOf = async (cells: readonly unknown[]) => {
      const inline = new Map([['v.f', cells.map((one) => JSON.stringify(one)).join(',\n')]])
      const segment = { ...NO_SEGMENT, rows: cells.length, inline: cells.length ? inline : null }
      return (await hashLists(engine.newStore(), [segment], key))[0]!
    }
    const cells = fc.array(cell, { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(cells, fc.array(cells), fc.array(cells, { maxLength: 3 }), async (own, before, more) => {
        const list = await listOf(own)
        expect(list).toEqual(hashesOf(own.map((value) => (value === null ? undefined : textOf(value)))))
        const others = await Promise.all(before.map(listOf))
        const after = [...others.slice(1), ...(await Promise.all(more.map(listOf)))]
        for (const now of [others, after, others]) expect(judged([list], now).absent).toEqual(absentFrom([list], now))
      }),
      { numRuns: 100 },
    )
  })
})
