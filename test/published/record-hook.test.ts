import { FlatfileListener } from '@flatfile/listener'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import * as ours from '../../packages/record-hook/src/index.ts'
import { createCaller, createDataCaller, createTestAccount, getServer, waitUntil } from '../support/api.ts'

let must: ReturnType<typeof createDataCaller>
let theirs: typeof import('@flatfile/plugin-record-hook')

beforeAll(async () => {
  const { secretKey } = await createTestAccount()
  must = createDataCaller(() => createCaller(secretKey))
  Object.assign(process.env, { AGENT_INTERNAL_URL: getServer().baseUrl, FLATFILE_BEARER_TOKEN: secretKey })
  theirs = await import('@flatfile/plugin-record-hook')
})

const SLUG = 'people'
const FIELDS = [
  { key: 'name', type: 'string' },
  { key: 'age', type: 'number', constraints: [{ type: 'required' }] },
  { key: 'alive', type: 'boolean' },
  { key: 'tags', type: 'string-list' },
  {
    key: 'kind',
    type: 'enum',
    config: {
      options: [
        { value: 'one', label: 'One' },
        { value: 'two', label: 'Two' },
      ],
    },
  },
  { key: 'country', type: 'reference', config: { ref: 'countries', key: 'code', relationship: 'has-one' } },
]
const COUNTRIES = {
  name: 'Countries',
  slug: 'countries',
  fields: [
    { key: 'code', type: 'string' },
    { key: 'label', type: 'string' },
  ],
}

type Hook = (record: Record_) => unknown
type Record_ = ours.FlatfileRecord
type Plugin = (slug: string, callback: never, options?: object) => (listener: never) => void

async function createSheet(rows: object[]) {
  const sheets = [COUNTRIES, { name: 'People', slug: SLUG, fields: FIELDS }]
  const { id: spaceId } = await must('POST', '/spaces', { name: 'Hooks' })
  const { sheets: made } = await must('POST', '/workbooks', { spaceId, name: 'Book', sheets })
  await must('POST', `/sheets/${made[0].id}/records`, [
    { code: 'FR', label: 'France' },
    { code: 'NO', label: 'Norway' },
  ])
  const sheetId: string = made[1].id
  await must('POST', `/sheets/${sheetId}/records`, rows)
  const event = await waitUntil(async () => {
    const events = await must('GET', `/events?spaceId=${spaceId}&topic=commit:created`)
    return events.find(({ context }: { context: { sheetId: string } }) => context.sheetId === sheetId)
  })
  return { sheetId, event }
}

async function readRecords(sheetId: string) {
  const { records } = await must('GET', `/sheets/${sheetId}/records?includeMessages=true`)
  return records.map(({ id, ...record }: { id: string }) => record)
}

async function runPasses(rows: object[], passes: ((listener: FlatfileListener) => void)[]) {
  const { sheetId, event } = await createSheet(rows)
  const results = []
  for (const use of passes) {
    const listener = new FlatfileListener()
    use(listener)
    await listener.dispatchEvent(event)
    results.push(await readRecords(sheetId))
  }
  return results
}

const each =
  (plugin: unknown, hooks: readonly Hook[], options: object = {}) =>
  (listener: FlatfileListener): void => {
    for (const hook of hooks) (plugin as Plugin)(SLUG, hook as never, options)(listener as never)
  }

async function expectSame(rows: object[], passes: readonly (readonly Hook[])[], options: object = {}): Promise<void> {
  const run = (plugin: unknown) =>
    runPasses(
      rows,
      passes.map((hooks) => each(plugin, hooks, options)),
    )
  const expected = await run(theirs.recordHook)
  expect(await run(ours.recordHook)).toEqual(expected)
}

const ROWS = [
  { name: 'Ada', age: 36, alive: false, tags: ['a', 'b'], kind: 'one', country: 'FR' },
  { name: null, age: 'old', alive: 'maybe', tags: [], kind: 'three', country: 'XX' },
  { values: { name: { value: 'Grace' } }, metadata: { source: 'navy' }, config: { readonly: true } },
  {
    values: {
      name: { value: 'Linus', messages: [{ type: 'warn', source: 'custom-logic', message: 'before' }] },
      country: { value: 'NO' },
    },
  },
]

describe('@wharf/record-hook and the public plugin', () => {
  it.each<[string, Hook]>([
    ['set values of all types', (record) => record.set('name', 'x')?.set('age', 1)?.set('alive', true)],
    ['clear values', (record) => FIELDS.map(({ key }) => record.set(key, null))],
    [
      'set undefined and objects',
      (record) => record.set('name', undefined as never)?.set('age', { value: 7 } as never),
    ],
    ['set an unknown option and field', (record) => record.set('kind', 'five')?.set('nothing', 1)],
    [
      'add messages of all levels',
      (record) => record.addInfo('name', 'i').addWarning(['age', 'kind'], 'w').addError('none', 'e'),
    ],
    [
      'add a message to an item of a list',
      (record) => record.addError('tags', 'not b', 'b').addComment('name', 'c', 'b'),
    ],
    ['add a message to a new value', (record) => record.compute('name', (value) => `${value}!`, 'computed')],
    ['compute only present values', (record) => record.computeIfPresent('age', (value) => Number(value) + 1, 'older')],
    ['validate', (record) => record.validate('name', (value) => value === 'Ada', 'not Ada')],
    ['replace metadata', (record) => record.setMetadata({ seen: true })],
    ['change metadata in place', (record) => Object.assign(record.getMetadata(), { seen: record.get('name') })],
    ['make records and cells read-only', (record) => [record.setReadOnly(), record.setReadOnly('age', 'name')]],
    ['make records and cells writable', (record) => [record.setWritable(), record.setWritable('age')]],
    ['change the value object', (record) => Object.assign(record.value, { name: 'direct', other: 1 })],
    ['set after the value object was read', (record) => record.value && record.set('name', 'after')],
    ['read the value object', (record) => record.set('name', JSON.stringify([record.obj, record.originalValue]))],
    ['read linked records', (record) => record.set('name', JSON.stringify([record.getLinks('country'), record.value]))],
    ['set a linked cell', (record) => record.set('country', 'NO') && record.set('name', JSON.stringify(record.value))],
    [
      'set linked values',
      (record) =>
        record.setLinkedValue('country', 'label', 'x').set('name', String(record.getLinkedValue('country', 'label'))),
    ],
    ['read errors', (record) => record.addError('age', 'e').set('name', JSON.stringify(record.getErrors('age')))],
    ['read JSON', (record) => record.addInfo('age', 'i').set('name', JSON.stringify(record.toJSON().info))],
    ['change a list in place', (record) => void (record.get('tags') as string[] | null)?.push('z')],
    ['change nothing', () => undefined],
    ['are asynchronous', async (record) => record.set('name', await Promise.resolve('later'))],
  ])('%s with the same result', async (_, hook) => {
    await expectSame(ROWS, [[hook], [() => undefined], [hook]])
  })

  it('share the records of an event between hooks', async () => {
    const hooks: Hook[] = [
      (record) => record.compute('name', (value) => `${value} first`, 'one'),
      (record) => record.compute('name', (value) => `${value} second`, 'two'),
    ]
    await expectSame(ROWS, [hooks, hooks])
  })

  it('pass the same chunks to bulk hooks', async () => {
    const rows = Array.from({ length: 25 }, (_, row) => ({ name: `n${row}`, age: row }))
    const bulk = (records: Record_[]) => {
      for (const record of records) record.addInfo('name', `with ${records.length}`)
    }
    const run = (plugin: unknown) => runPasses(rows, [each(plugin, [bulk as never], { chunkSize: 10, parallel: 2 })])
    expect(await run(ours.bulkRecordHook)).toEqual(await run(theirs.bulkRecordHook))
  })

  it('agree on random tables with random callbacks, row by row', { timeout: 300_000 }, async () => {
    const value = fc.oneof(
      fc.constantFrom(null, 'FR', 'NO', 'one', 'three', '', 0, 1, true, false),
      fc.string({ maxLength: 6 }).map((text) => text.replaceAll('\0', '')),
      fc.integer(),
    )
    const cell = fc.oneof(
      { weight: 4, arbitrary: value },
      { weight: 1, arbitrary: fc.array(fc.constantFrom('a', 'b', 'c')) },
    )
    const key = fc.constantFrom(...FIELDS.map((field) => field.key))
    const row = fc.record(Object.fromEntries(FIELDS.map((field) => [field.key, cell])), { requiredKeys: [] })
    const operation = fc.oneof(
      fc.tuple(key, cell).map(
        ([field, to]): Hook =>
          (record) =>
            record.set(field, to),
      ),
      fc.tuple(key, fc.constantFrom('addInfo', 'addError', 'addWarning'), fc.constantFrom('m', 'n')).map(
        ([field, method, text]): Hook =>
          (record) =>
            record[method as 'addInfo'](field, text),
      ),
      fc.tuple(key, key).map(
        ([from, to]): Hook =>
          (record) =>
            record.set(to, record.get(from)),
      ),
      key.map(
        (field): Hook =>
          (record) =>
            record.computeIfPresent(field, (found) => `${found}?`, 'asked'),
      ),
      key.map(
        (field): Hook =>
          (record) =>
            record.setReadOnly(field),
      ),
      fc.constantFrom('x', 'y').map(
        (text): Hook =>
          (record) =>
            record.setMetadata({ text }),
      ),
      fc.tuple(key, cell).map(
        ([field, to]): Hook =>
          (record) =>
            Object.assign(record.value, { [field]: to }),
      ),
    )
    const step = fc.record({ operation, modulus: fc.integer({ min: 1, max: 3 }) })
    const pass = fc.array(step, { maxLength: 5 })
    const compile = (steps: readonly { operation: Hook; modulus: number }[]): Hook => {
      return (record) => {
        const number = Number(String(record.rowId).split('_').at(-1))
        for (const { operation, modulus } of steps) if (number % modulus === 0) operation(record)
      }
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.array(pass, { minLength: 1, maxLength: 3 }),
        (rows, passes) =>
          expectSame(
            rows,
            passes.map((steps) => [compile(steps)]),
          ),
      ),
      { numRuns: 25 },
    )
  })
})
