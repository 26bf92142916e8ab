/** Reference fields: values that must exist in another sheet of the workbook, and the linked records. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../lib/records/log/store.ts'
import type { Field, SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'
import { EMPTY_SEGMENT } from '../../support/segment.ts'

const { cloud, engine, insert, update, remove, restoreVersion } = await startRecordSuite()

function createWorkbook(sheets: { [slug: string]: Field[] }) {
  const refs: { [slug: string]: SheetRef } = {}
  for (const [slug, fields] of Object.entries(sheets))
    refs[slug] = { sheetId: newSheetId(), fields, findLinkedSheet: async (name) => refs[name] }
  return refs as { [slug: string]: SheetRef } & { customers: SheetRef; orders: SheetRef }
}

const textField = (key: string): Field => ({ key, type: 'string' })
const referenceField = (key: string, config: object, type = 'reference'): Field => ({ key, type, config })
const createShop = (config: object = {}, type = 'reference') =>
  createWorkbook({
    customers: [textField('id'), textField('country')],
    orders: [
      textField('name'),
      textField('land'),
      referenceField('customer', { ref: '/customers', key: 'id', ...config }, type),
    ],
  })

type Values = { [field: string]: unknown }
const createRow = (values: Values) => ({
  values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])),
})
const insertRows = async (sheet: SheetRef, rows: Values[], store?: Store): Promise<string[]> => [
  ...(await insert(sheet, rows.map(createRow), store)).ids,
]
const updateRow = (sheet: SheetRef, id: string, values: Values, store?: Store) =>
  update(sheet, [{ id, ...createRow(values) }], store)

const listUnlinked = (records: readonly WireRecord[], field: string): unknown[] =>
  records
    .filter(({ values }) => values[field]!.messages.some(({ source }) => source === 'unlinked'))
    .map(({ values }) => values[field]!.value)

async function readUnlinked(sheet: SheetRef, field = 'customer', store?: Store): Promise<unknown[]> {
  const { records } = await engine.readRecords(sheet, {}, store)
  const broken = listUnlinked(records, field)
  const error = records.filter(({ valid }) => !valid).length
  const counts = { total: records.length, valid: records.length - error, error }
  expect(await engine.countRecords(sheet, {}, store)).toEqual(counts)
  const byField = await engine.countRecords(sheet, { byField: true }, store)
  expect(byField).toMatchObject(counts)
  expect(byField.errorsByField?.[field] ?? 0).toBe(broken.length)
  expect((await engine.readRecords(sheet, { filter: 'error', filterField: field }, store)).records).toHaveLength(
    broken.length,
  )
  return broken
}

describe('reference field', () => {
  it('is validated in the response to a restore', async () => {
    const { customers, orders } = createShop()
    const [customer] = await insertRows(customers, [{ id: 'c1' }])
    const [order] = await insertRows(orders, [{ customer: 'c1' }])
    const { seq: whole } = await engine.readVersion(orders)
    await remove(orders, [order!])
    await remove(customers, [customer!])
    await insertRows(orders, [{ name: 'later' }])
    const part = await restoreVersion(orders, { to: whole, deleted: true })
    expect(part.counts).toEqual({ total: 2, valid: 1, error: 1 })
    await remove(orders, { filter: 'all' })
    const all = await restoreVersion(orders, { to: whole })
    expect(all.counts).toEqual({ total: 1, valid: 0, error: 1 })
    expect(await readUnlinked(orders)).toEqual(['c1'])
  })

  it('to a missing sheet or field is not validated until it exists', async () => {
    const { customers, ...others } = createShop()
    const orders: SheetRef = { ...others.orders!, findLinkedSheet: async () => undefined }
    const found: SheetRef = { ...orders, findLinkedSheet: async () => customers }
    const keyless: SheetRef = {
      ...orders,
      findLinkedSheet: async () => ({ ...customers, fields: [textField('country')] }),
    }
    await insertRows(customers, [{ id: 'c1' }])
    await insertRows(orders, [{ customer: 'x' }])
    expect(await readUnlinked(orders)).toEqual([])
    expect(await readUnlinked(found)).toEqual(['x'])
    expect(await readUnlinked(keyless)).toEqual([])
    await insertRows(keyless, [{ customer: 'y' }])
    expect(await readUnlinked(keyless)).toEqual([])
    expect(await readUnlinked(found)).toEqual(['x', 'y'])
    const blind: SheetRef = { sheetId: orders.sheetId, fields: orders.fields }
    expect(listUnlinked((await engine.readRecords(blind)).records, 'customer')).toEqual(['x', 'y'])
  })

  it.each([{}, { filter: { refField: 'country', recordField: 'land' } }])(
    'is unlinked to a record without a key, also by the text null, with %j',
    async (filter) => {
      const { customers, orders } = createShop(filter)
      await insertRows(customers, [{ country: 'DE' }, { id: 'c1', country: 'DE' }])
      await insertRows(orders, [
        { customer: 'null', land: 'DE' },
        { customer: 'undefined', land: 'DE' },
        { customer: 'c1', land: 'DE' },
      ])
      expect(await readUnlinked(orders)).toEqual(['null', 'undefined'])
    },
  )

  it('to its own sheet sees the other records', async () => {
    const { people } = createWorkbook({
      people: [textField('id'), referenceField('boss', { ref: 'people', key: 'id' })],
    })
    const [root] = await insertRows(people!, [{ id: 'a' }, { id: 'b', boss: 'a' }, { id: 'c', boss: 'd' }])
    expect(await readUnlinked(people!, 'boss')).toEqual(['d'])
    await insertRows(people!, [{ id: 'd', boss: 'c' }])
    expect(await readUnlinked(people!, 'boss')).toEqual([])
    await remove(people!, [root!])
    expect(await readUnlinked(people!, 'boss')).toEqual(['a'])
  })

  it('can form a cycle', async () => {
    const { a, b } = createWorkbook({
      a: [textField('id'), referenceField('b', { ref: 'b', key: 'id' })],
      b: [textField('id'), referenceField('a', { ref: 'a', key: 'id' })],
    })
    await insertRows(a!, [
      { id: 'a1', b: 'b1' },
      { id: 'a2', b: 'b2' },
    ])
    await insertRows(b!, [
      { id: 'b1', a: 'a1' },
      { id: 'b3', a: 'a3' },
    ])
    expect(await readUnlinked(a!, 'b')).toEqual(['b2'])
    expect(await readUnlinked(b!, 'a')).toEqual(['a3'])
  })

  it('is revalidated when its target changes', async () => {
    const sheets = createShop()
    const { customers, orders } = sheets
    await insertRows(customers, [{ id: 'c1', country: 'DE' }])
    await insertRows(orders, [{ customer: 'c1' }, { customer: 'DE' }])
    expect(await readUnlinked(orders)).toEqual(['DE'])
    const createPointing = (config: object): SheetRef => ({
      ...orders,
      fields: [textField('name'), referenceField('customer', config)],
    })
    expect(await readUnlinked(createPointing({ ref: 'customers', key: 'country' }))).toEqual(['c1'])
    expect(await readUnlinked(createPointing({ ref: 'nowhere', key: 'country' }))).toEqual([])
    expect(await readUnlinked({ ...orders, fields: [textField('name'), textField('customer')] })).toEqual([])
    expect(await readUnlinked(orders)).toEqual(['DE'])
    const { fields } = customers
    expect(
      await readUnlinked({ ...orders, findLinkedSheet: async () => ({ ...customers, fields: fields.slice(1) }) }),
    ).toEqual([])
  })

  it('has its message in addition to those of constraints and hooks', async () => {
    const { customers, orders } = createShop()
    const unique: SheetRef = {
      ...orders,
      fields: [referenceField('customer', orders.fields[2]!.config as object)].map((field) => ({
        ...field,
        constraints: [{ type: 'unique' }],
      })),
    }
    await insertRows(customers, [{ id: 'c1' }])
    const [id] = await insertRows(unique, [{ customer: 'x' }, { customer: 'x' }])
    const messages = [{ type: 'warn', message: 'hm' }]
    await update(unique, [{ id: id!, values: { customer: { messages } } }])
    const cell = (await engine.readRecords(unique)).records[0]!.values.customer!
    expect(cell.messages.map(({ source }) => source)).toEqual(['custom-logic', 'unique-constraint', 'unlinked'])
    expect(await readUnlinked(unique)).toEqual(['x', 'x'])
  })
})

describe('validating references', () => {
  it('makes no commit, and no entry when no flag changes', async () => {
    const { customers, orders } = createShop()
    await insertRows(customers, [{ id: 'c1' }])
    await insertRows(orders, [{ customer: 'c1' }])
    const { commitId } = await engine.readRecords(orders)
    await engine.readRecords(orders)
    cloud.meter.reset()
    await engine.readRecords(orders)
    expect(cloud.meter.count()).toBe(1)
    expect(cloud.meter.count('BatchGetItem')).toBe(1)
    await insertRows(customers, [{ id: 'c2' }])
    const before = cloud.meter.written
    await engine.readRecords(orders)
    expect(cloud.meter.written).toBe(before)
    await remove(customers, { filter: 'all' })
    expect((await engine.readRecords(orders)).commitId).toBe(commitId)
    expect(await readUnlinked(orders)).toEqual(['c1'])
    expect(await engine.listCommits(orders.sheetId)).toHaveLength(1)
  })

  it('is correct in every process, even when two validate concurrently', async () => {
    const { customers, orders } = createShop()
    const [here, there] = [engine.createStore(), engine.createStore()]
    const [first] = await insertRows(customers, [{ id: 'c1' }, { id: 'c2' }], here)
    await insertRows(orders, [{ customer: 'c1' }, { customer: 'c2' }, { customer: 'c3' }], there)
    expect(await readUnlinked(orders, 'customer', here)).toEqual(['c3'])
    expect(await readUnlinked(orders, 'customer', there)).toEqual(['c3'])
    await updateRow(customers, first!, { id: 'c3' }, there)
    const both = await Promise.all([here, there].map((store) => engine.readRecords(orders, {}, store)))
    for (const { records } of both) expect(listUnlinked(records, 'customer')).toEqual(['c1'])
    expect(await readUnlinked(orders, 'customer', engine.createStore())).toEqual(['c1'])
  })

  it('works over many rows in many segments', async () => {
    const { customers, orders } = createShop()
    const store = engine.createStore({ segmentRows: 700, editedRows: 50 })
    const ids = await insertRows(
      customers,
      Array.from({ length: 3000 }, (_, i) => ({ id: `c${i}` })),
      store,
    )
    await insertRows(
      orders,
      Array.from({ length: 2500 }, (_, i) => ({ name: `o${i}`, customer: `c${(i * 7) % 3500}` })),
      store,
    )
    const computeExpected = async (isGone: (n: number) => boolean) => {
      const all = Array.from({ length: 2500 }, (_, i) => (i * 7) % 3500)
      expect(await readUnlinked(orders, 'customer', store)).toEqual(all.filter(isGone).map((n) => `c${n}`))
    }
    await computeExpected((n) => n >= 3000)
    await remove(customers, ids.slice(100, 1500).slice(0, 100), store)
    await computeExpected((n) => n >= 3000 || (n >= 100 && n < 200))
    await remove(customers, { search: { value: 'c2', field: 'id' } }, store)
    await computeExpected((n) => n >= 3000 || (n >= 100 && n < 200) || String(n).startsWith('2'))
    await insertRows(
      customers,
      Array.from({ length: 2000 }, (_, i) => ({ id: `c${i + 2000}` })),
      store,
    )
    await computeExpected((n) => (n >= 100 && n < 200) || (n < 2000 && String(n).startsWith('2')))
  })

  it('agrees with a naive lookup after any writes to both sheets', { timeout: 60_000 }, async () => {
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
        const sheets = createWorkbook({
          customers: [textField('id'), textField('country')],
          orders: [
            referenceField('one', to),
            referenceField('within', { ...to, filter: { refField: 'country', recordField: 'land' } }),
            referenceField('many', to, 'reference-list'),
            textField('land'),
          ],
        })
        const stores = [0, 1].map(() => engine.createStore({ segmentRows: 2, editedRows: 2 }))
        const model: { [sheet: string]: { id: string; values: Values }[] } = { customers: [], orders: [] }
        for (const [i, step] of [...steps, { look: 0 }].entries()) {
          const store = stores[i % 2]!
          if ('look' in step) {
            const { records } = await engine.readRecords(sheets.orders, {}, store)
            expect(records.map(listBrokenFields)).toEqual(findBrokenNaively(model.customers!, model.orders!))
            expect((await engine.countRecords(sheets.orders, {}, store)).error).toBe(
              findBrokenNaively(model.customers!, model.orders!).filter(({ length }) => length > 0).length,
            )
            continue
          }
          const sheet = sheets[step.on]!
          const rows = model[step.on]!
          if ('rows' in step) {
            const ids = await insertRows(sheet, step.rows, store)
            for (const [row, values] of step.rows.entries())
              rows.push({ id: ids[row]!, values: { ...values } as Values })
          } else if (rows.length) {
            const row = rows[step.at % rows.length]!
            if ('change' in step) {
              await updateRow(sheet, row.id, step.change as Values, store)
              Object.assign(row.values, step.change)
            } else {
              await remove(sheet, [row.id], store)
              rows.splice(rows.indexOf(row), 1)
            }
          }
        }
      }),
      { numRuns: 12 },
    )
  })
})

const listBrokenFields = ({ values }: WireRecord): string[] =>
  Object.keys(values).filter((key) => values[key]!.messages.some(({ source }) => source === 'unlinked'))

function findBrokenNaively(customers: { values: Values }[], orders: { values: Values }[]): string[][] {
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

describe('linked records', () => {
  const readLinks = async (sheet: SheetRef, field = 'customer', query = {}) =>
    (await engine.readRecords(sheet, { includeLinks: true, ...query })).records.map(
      (record) => record.values[field]!.links,
    )
  const ids = (records: readonly WireRecord[] | undefined) => records?.map(({ values }) => values.id!.value)

  it('are the full records with the value and messages, and empty when nothing is linked', async () => {
    const { customers, orders } = createShop()
    const strict: SheetRef = {
      ...customers,
      fields: [textField('id'), { ...textField('country'), constraints: [{ type: 'required' }] }],
    }
    const linking: SheetRef = { ...orders, findLinkedSheet: async () => strict }
    await insertRows(strict, [{ id: 'c1', country: 'DE' }, { id: 'ü "1"' }, { id: 'c1' }])
    await insertRows(linking, [{ customer: 'ü "1"' }, { customer: 'x' }, {}, { customer: 'c1' }])
    const { records } = await engine.readRecords(strict)
    expect(await readLinks(linking)).toEqual([[records[1]], [], [], [records[0], records[2]]])
    expect(records[1]!.valid).toBe(false)
    const [plain] = (await engine.readRecords(linking, { includeLinks: true })).records
    expect(Object.keys(plain!.values.name!)).toEqual(['value', 'messages', 'valid'])
    const [without] = (await engine.readRecords(linking)).records
    expect(Object.keys(without!.values.customer!)).toEqual(['value', 'messages', 'valid'])
  })

  it('follow the order of the values in a list, and are at most one for a has-one reference', async () => {
    const list = createShop({}, 'reference-list')
    const rows = ['a', 'b', 'a', 'c'].map((id) => ({ id }))
    await insertRows(list.customers, rows)
    await insertRows(list.orders, [{ customer: ['c', 'a', 'c', 'x'] }, { customer: 'b' }])
    expect((await readLinks(list.orders)).map(ids)).toEqual([['c', 'a', 'a'], ['b']])
    const one = createShop({ relationship: 'has-one' })
    await insertRows(one.customers, rows)
    await insertRows(one.orders, [{ customer: 'a' }, { customer: 'x' }])
    expect((await readLinks(one.orders)).map(ids)).toEqual([['a'], []])
  })

  it('respect the filter, follow edits, and are limited to ten per value', async () => {
    const { customers, orders } = createShop({ filter: { refField: 'country', recordField: 'land' } })
    const countries = Array.from({ length: 30 }, (_, i) => ({ id: 'c', country: i % 2 ? 'DE' : 'FR' }))
    const [first, second] = await insertRows(customers, countries)
    await insertRows(orders, [{ customer: 'c', land: 'DE' }, { customer: 'c' }])
    const all = (await engine.readRecords(customers)).records.filter(({ values }) => values.country!.value === 'DE')
    expect(await readLinks(orders)).toEqual([all.slice(0, 10), []])
    await updateRow(customers, first!, { country: 'DE' })
    await remove(customers, [second!])
    const now = (await engine.readRecords(customers)).records.filter(({ values }) => values.country!.value === 'DE')
    expect(await readLinks(orders)).toEqual([now.slice(0, 10), []])
  })

  it('work with paging, selected fields and any order, in few requests', async () => {
    const { customers, orders } = createShop()
    const store = engine.createStore({ segmentRows: 50, blobItemBytes: 0 })
    await insertRows(
      customers,
      Array.from({ length: 200 }, (_, i) => ({ id: `c${i}` })),
      store,
    )
    await insertRows(
      orders,
      Array.from({ length: 300 }, (_, i) => ({ name: `o${i}`, customer: `c${i % 250}` })),
      store,
    )
    const query = { includeLinks: true, fields: ['customer'], pageSize: 20, pageNumber: 2 }
    await engine.readRecords(orders, query, store)
    cloud.meter.reset()
    const sorted = { ...query, sort: { field: 'name', direction: 'desc' as const } }
    const { records } = await engine.readRecords(orders, sorted, store)
    expect(cloud.meter.count()).toBeLessThanOrEqual(12)
    for (const { values } of records) {
      const linked = ids(values.customer!.links)
      expect(linked).toEqual(Number(String(values.customer!.value).slice(1)) < 200 ? [values.customer!.value] : [])
    }
  })

  it('end after one step for sheets in a cycle', async () => {
    const { people } = createWorkbook({
      people: [textField('id'), referenceField('boss', { ref: 'people', key: 'id' })],
    })
    await insertRows(people!, [
      { id: 'a', boss: 'b' },
      { id: 'b', boss: 'a' },
    ])
    const found = await readLinks(people!, 'boss')
    expect(found.map(ids)).toEqual([['b'], ['a']])
    expect(found[0]![0]!.values.boss!.links).toBeUndefined()
  })
})

describe('hash lists', () => {
  it('are the same for column bytes and values, incrementally and from scratch', async () => {
    const [{ loadHashLists }, { markAbsent, markAbsentCached }, { hashTexts }, { valueToText }] = await Promise.all([
      import('../../../lib/records/constraints/hash-index.ts'),
      import('../../../lib/records/columns/hash-intersection.ts'),
      import('../../../lib/records/columns/hash.ts'),
      import('../../../lib/records/fields/values.ts'),
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
      texts: ([value]: readonly unknown[]) => (value == null ? [] : [valueToText(value)]),
    }
    const buildHashList = async (cells: readonly unknown[]) => {
      const inline = new Map([['v.f', cells.map((one) => JSON.stringify(one)).join(',\n')]])
      const segment = { ...EMPTY_SEGMENT, rows: cells.length, inline: cells.length ? inline : null }
      return (await loadHashLists(engine.createStore(), [segment], key))[0]!
    }
    const cells = fc.array(cell, { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(cells, fc.array(cells), fc.array(cells, { maxLength: 3 }), async (own, before, more) => {
        const list = await buildHashList(own)
        expect(list).toEqual(hashTexts(own.map((value) => (value === null ? undefined : valueToText(value)))))
        const others = await Promise.all(before.map(buildHashList))
        const after = [...others.slice(1), ...(await Promise.all(more.map(buildHashList)))]
        for (const now of [others, after, others])
          expect(markAbsentCached([list], now).absent).toEqual(markAbsent([list], now))
      }),
      { numRuns: 100 },
    )
  })
})
