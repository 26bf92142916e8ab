/** Breaks every kind of write at each of its requests: it is stored completely or not at all, and can be retried. */
import { BatchWriteItemCommand, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store, StoreOptions } from '../../../lib/records/log/store.ts'
import type { Field, SheetRef, WriteContext } from '../../../lib/records/sheet.ts'
import { createWriteContext, newSheetId, type RecordCloud, startRecordCloud } from '../../support/records.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine
let dynamo: DynamoDBClient
let sendsAgain = false

beforeAll(async () => {
  process.env.AWS_MAX_ATTEMPTS = '1'
  cloud = await startRecordCloud()
  engine = await import('../../../lib/records/index.ts')
  ;({ dynamo } = await import('../../../lib/table/client.ts'))
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        if (!sendsAgain || (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode) throw error
        return next(args)
      }
    },
    { step: 'initialize', name: 'sendAgain' },
  )
})
afterAll(async () => {
  delete process.env.AWS_MAX_ATTEMPTS
  await cloud.close()
})
beforeEach(clearFaults)

function clearFaults(): void {
  cloud.intercept.beforeRequest = undefined
  cloud.intercept.loseResponse = undefined
  sendsAgain = false
}

const FIELDS: Field[] = [
  { key: 'code', type: 'string', constraints: [{ type: 'unique' }] },
  { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'age', type: 'number' },
]
const createRow = (i: number) => ({
  values: { code: { value: `code ${i}` }, name: { value: i % 3 ? `Person ${i}` : '' }, age: { value: i } },
})
const createRows = (count: number, from = 0) => Array.from({ length: count }, (_, i) => createRow(from + i))
async function* generateBatches(count: number, from: number) {
  yield { keys: ['code', 'name', 'age'], rows: Array.from({ length: count }, (_, i) => [`code ${from + i}`, 'x', i]) }
}

interface Kind {
  options: Partial<StoreOptions>
  fields?: Field[]
  entries?: number
  write(sheet: SheetRef, ids: string[], ctx: WriteContext, store: Store): Promise<{ commitId?: string | undefined }>
}

const BESIDE = { inlineEntryBytes: 50, inlineSegmentBytes: 0 }
const nameUpdate = (id: string, value: string) => ({ id, values: { name: { value } } })
const codeUpdate = (id: string, value: string) => ({ id, values: { code: { value } } })
const optional: Field[] = [
  FIELDS[0]!,
  { key: 'name', type: 'string' },
  { ...FIELDS[2]!, constraints: [{ type: 'unique' }] },
]

const KINDS: { [nameUpdate: string]: Kind } = {
  'an insert into the log page': {
    options: {},
    write: (sheet, _, ctx, store) => engine.insert(sheet, createRows(3, 4), ctx, store),
  },
  'an insert with its body and an event context beside': {
    options: BESIDE,
    write: (sheet, _, ctx, store) =>
      engine.insert(sheet, createRows(3, 4), { ...ctx, event: { long: 'x'.repeat(100) } }, store),
  },
  'an import of several segments in items': {
    options: { segmentRows: 7, ...BESIDE, blobItemBytes: Number.POSITIVE_INFINITY },
    write: (sheet, _, ctx, store) => engine.importRows(sheet, generateBatches(14, 4), ctx, store),
  },
  'an import of several segments in objects': {
    options: { segmentRows: 7, blobItemBytes: 0 },
    write: (sheet, _, ctx, store) => engine.importRows(sheet, generateBatches(14, 4), ctx, store),
  },
  'an update of values alone': {
    options: BESIDE,
    write: (sheet, ids, ctx, store) =>
      engine.update(
        sheet,
        [nameUpdate(ids[0]!, 'Ada'), nameUpdate(ids[4]!, ''), { ...nameUpdate(ids[5]!, 'Eve'), metadata: { a: 1 } }],
        ctx,
        store,
      ),
  },
  'an update of unique values': {
    options: { ...BESIDE, blobItemBytes: 0 },
    write: (sheet, ids, ctx, store) =>
      engine.update(
        sheet,
        [codeUpdate(ids[0]!, 'code 1'), codeUpdate(ids[2]!, 'code 2, else'), nameUpdate(ids[5]!, '')],
        ctx,
        store,
      ),
  },
  'an update that writes columns anew': {
    options: { editedRows: 2, segmentRows: 4, inlineSegmentBytes: 0 },
    write: (sheet, ids, ctx, store) => {
      const few = [codeUpdate(ids[4]!, 'code 0'), nameUpdate(ids[5]!, 'Eve')]
      return engine.update(sheet, [...ids.slice(0, 4).map((id) => nameUpdate(id, `${id.at(-1)}`)), ...few], ctx, store)
    },
  },
  'a removal by ids': {
    options: BESIDE,
    write: (sheet, ids, ctx, store) => engine.remove(sheet, [ids[1]!, ids[3]!, ids[6]!], ctx, store),
  },
  'a removal by selection': {
    options: { segmentRows: 3, inlineSegmentBytes: 0 },
    write: (sheet, _, ctx, store) => engine.remove(sheet, { filter: 'error', filterField: 'name' }, ctx, store),
  },
  'an insert under changed constraints': {
    options: { segmentRows: 4, blobItemBytes: 0 },
    fields: optional,
    write: (sheet, _, ctx, store) => engine.insert(sheet, createRows(2, 5), ctx, store),
  },
  'a removal that fills a page and has a manifest written': {
    options: {},
    entries: 127,
    write: (sheet, ids, ctx, store) => engine.remove(sheet, [ids[2]!], ctx, store),
  },
}

interface Scene {
  kind: Kind
  sheet: SheetRef
  ids: string[]
  ctx: WriteContext
  store: Store
}

async function createScene(kind: Kind): Promise<{ sheet: SheetRef; ids: string[] }> {
  const store = engine.createStore(kind.options)
  const sheet: SheetRef = { sheetId: newSheetId(), fields: FIELDS }
  const ids = [...(await engine.insert(sheet, [...createRows(7), createRow(1)], createWriteContext(), store)).ids]
  await engine.update(
    sheet,
    [nameUpdate(ids[0]!, 'Zero'), { id: ids[2]!, values: { age: { value: 'n/a' } } }],
    createWriteContext(),
    store,
  )
  await engine.remove(sheet, [ids.pop()!], createWriteContext(), store)
  for (let entries = 3; entries < (kind.entries ?? 0); entries++)
    await engine.update(
      sheet,
      [{ id: ids[6]!, values: { age: { value: 100 + entries } } }],
      createWriteContext(),
      store,
    )
  return { sheet: { ...sheet, fields: kind.fields ?? FIELDS }, ids }
}

async function copyScene(kind: Kind, { sheet, ids }: { sheet: SheetRef; ids: string[] }): Promise<Scene> {
  const sheetId = newSheetId()
  const { Items = [] } = await dynamo.send(
    new QueryCommand({
      TableName: 'records',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: `sh#${sheet.sheetId}` } },
    }),
  )
  const puts = Items.map((item) => ({ PutRequest: { Item: { ...item, pk: { S: `sh#${sheetId}` } } } }))
  await dynamo.send(new BatchWriteItemCommand({ RequestItems: { records: puts } }))
  const store = engine.createStore(kind.options)
  await engine.countRecords({ sheetId, fields: FIELDS }, {}, store)
  const copied = ids.map((id) => id.replace(sheet.sheetId.slice(6), sheetId.slice(6)))
  return { kind, sheet: { ...sheet, sheetId }, ids: copied, ctx: createWriteContext(), store }
}

const runWrite = ({ kind, sheet, ids, ctx }: Scene, store: Store) => kind.write(sheet, ids, ctx, store)
const newProcess = ({ kind }: Scene): Store => engine.createStore(kind.options)

async function readAll({ sheet }: Scene): Promise<{ sight: unknown; newest: string | undefined }> {
  const store = engine.createStore()
  const { records, commitId } = await engine.readRecords(sheet, {}, store)
  const error = records.filter(({ valid }) => !valid).length
  const total = records.length
  expect(await engine.countRecords(sheet, {}, store)).toEqual({ total, valid: total - error, error })
  expect(new Set(records.map(({ id }) => id)).size).toBe(total)
  const commits = await engine.listCommits(sheet.sheetId, { pageSize: 1000 })
  expect(commits[0]!.id).toBe(commitId)
  return { sight: { records: records.map(({ id, ...rest }) => rest), commits: commits.length }, newest: commitId }
}

interface Fault {
  arm(number: number): void
  first(scene: Scene): Store
  again(scene: Scene): Store
}

const loseResponse = (number: number): void => {
  let left = number
  cloud.intercept.loseResponse = () => --left === 0
}

const FAULTS: { [nameUpdate: string]: Fault } = {
  'dies before a request': {
    arm: (number) => {
      let left = number
      cloud.intercept.beforeRequest = () => {
        if (--left <= 0) throw new Error('cut off')
      }
    },
    first: newProcess,
    again: newProcess,
  },
  'gives up when an answer is lost, and tries the whole again': {
    arm: loseResponse,
    first: ({ store }) => store,
    again: ({ store }) => store,
  },
  'sends a request again whose answer was lost': {
    arm: (number) => {
      sendsAgain = true
      loseResponse(number)
    },
    first: ({ store }) => store,
    again: newProcess,
  },
}

type Made = Awaited<ReturnType<typeof createScene>>

async function runWithFault(kind: Kind, made: Made, fault: Fault, number: number, sights: unknown[]): Promise<boolean> {
  const scene = await copyScene(kind, made)
  cloud.meter.reset()
  fault.arm(number)
  const done = await runWrite(scene, fault.first(scene)).catch(() => undefined)
  const reached = cloud.meter.count() >= number
  clearFaults()
  const [, after] = sights
  const { sight, newest } = await readAll(scene)
  expect(done ? [after] : sights).toContainEqual(sight)
  if (done) expect(done.commitId).toBe(newest)
  const again = await runWrite(scene, fault.again(scene))
  expect(await readAll(scene)).toEqual({ sight: after, newest: again.commitId })
  return reached
}

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  let made: Made
  const sights: unknown[] = []

  beforeAll(async () => {
    made = await createScene(kind)
    const scene = await copyScene(kind, made)
    sights.push((await readAll(await copyScene(kind, made))).sight)
    await runWrite(scene, scene.store)
    sights.push((await readAll(scene)).sight)
    expect(sights[1]).not.toEqual(sights[0])
  })

  it.each(Object.entries(FAULTS))('is stored completely or not at all when its writer %s', async (_, fault) => {
    let number = 1
    while (await runWithFault(kind, made, fault, number, sights)) number++
    expect(number).toBeGreaterThan(2)
  })
})
