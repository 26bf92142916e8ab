/** Every kind of write, broken at each of its requests in turn: it is there whole or not at all, and its next try ends it. */
import { BatchWriteItemCommand, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store, StoreOptions } from '../../../lib/records/log/store.ts'
import type { Field, SheetRef, WriteContext } from '../../../lib/records/sheet.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine
let dynamo: DynamoDBClient
/** Has the client send a DynamoDB request again whose answer was lost, as it does on its own, but without its pauses. */
let sendsAgain = false

beforeAll(async () => {
  // A process that dies sends nothing again.
  process.env.AWS_MAX_ATTEMPTS = '1'
  cloud = await recordCloud()
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
beforeEach(calm)

function calm(): void {
  cloud.intercept.before = undefined
  cloud.intercept.after = undefined
  sendsAgain = false
}

const FIELDS: Field[] = [
  { key: 'code', type: 'string', constraints: [{ type: 'unique' }] },
  { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'age', type: 'number' },
]
const row = (i: number) => ({
  values: { code: { value: `code ${i}` }, name: { value: i % 3 ? `Person ${i}` : '' }, age: { value: i } },
})
const rows = (count: number, from = 0) => Array.from({ length: count }, (_, i) => row(from + i))
async function* batches(count: number, from: number) {
  yield { keys: ['code', 'name', 'age'], rows: Array.from({ length: count }, (_, i) => [`code ${from + i}`, 'x', i]) }
}

interface Kind {
  options: Partial<StoreOptions>
  /** The sheet as the write sees it; as made, unless told. */
  fields?: Field[]
  /** Entries the log has before. */
  entries?: number
  write(sheet: SheetRef, ids: string[], ctx: WriteContext, store: Store): Promise<{ commitId?: string | undefined }>
}

const BESIDE = { inlineEntryBytes: 50, inlineSegmentBytes: 0 }
const name = (id: string, value: string) => ({ id, values: { name: { value } } })
const code = (id: string, value: string) => ({ id, values: { code: { value } } })
const optional: Field[] = [
  FIELDS[0]!,
  { key: 'name', type: 'string' },
  { ...FIELDS[2]!, constraints: [{ type: 'unique' }] },
]

const KINDS: { [name: string]: Kind } = {
  'an insert into the log page': {
    options: {},
    write: (sheet, _, ctx, store) => engine.insert(sheet, rows(3, 4), ctx, store),
  },
  'an insert with its body and an event context beside': {
    options: BESIDE,
    write: (sheet, _, ctx, store) =>
      engine.insert(sheet, rows(3, 4), { ...ctx, event: { long: 'x'.repeat(100) } }, store),
  },
  'an import of several segments in items': {
    options: { segmentRows: 7, ...BESIDE, blobItemBytes: Number.POSITIVE_INFINITY },
    write: (sheet, _, ctx, store) => engine.importRows(sheet, batches(14, 4), ctx, store),
  },
  'an import of several segments in objects': {
    options: { segmentRows: 7, blobItemBytes: 0 },
    write: (sheet, _, ctx, store) => engine.importRows(sheet, batches(14, 4), ctx, store),
  },
  'an update of values alone': {
    options: BESIDE,
    write: (sheet, ids, ctx, store) =>
      engine.update(
        sheet,
        [name(ids[0]!, 'Ada'), name(ids[4]!, ''), { ...name(ids[5]!, 'Eve'), metadata: { a: 1 } }],
        ctx,
        store,
      ),
  },
  'an update of unique values': {
    options: { ...BESIDE, blobItemBytes: 0 },
    write: (sheet, ids, ctx, store) =>
      engine.update(sheet, [code(ids[0]!, 'code 1'), code(ids[2]!, 'code 2, else'), name(ids[5]!, '')], ctx, store),
  },
  'an update that writes columns anew': {
    options: { editedRows: 2, segmentRows: 4, inlineSegmentBytes: 0 },
    write: (sheet, ids, ctx, store) => {
      const few = [code(ids[4]!, 'code 0'), name(ids[5]!, 'Eve')]
      return engine.update(sheet, [...ids.slice(0, 4).map((id) => name(id, `${id.at(-1)}`)), ...few], ctx, store)
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
    write: (sheet, _, ctx, store) => engine.insert(sheet, rows(2, 5), ctx, store),
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
  /** Of the process that made the sheet. */
  store: Store
}

/** Seven records, of which two share their code and some have no name; some edited, one deleted. */
async function madeFor(kind: Kind): Promise<{ sheet: SheetRef; ids: string[] }> {
  const store = engine.newStore(kind.options)
  const sheet: SheetRef = { sheetId: newSheetId(), fields: FIELDS }
  const ids = [...(await engine.insert(sheet, [...rows(7), row(1)], by(), store)).ids]
  await engine.update(sheet, [name(ids[0]!, 'Zero'), { id: ids[2]!, values: { age: { value: 'n/a' } } }], by(), store)
  await engine.remove(sheet, [ids.pop()!], by(), store)
  for (let entries = 3; entries < (kind.entries ?? 0); entries++)
    await engine.update(sheet, [{ id: ids[6]!, values: { age: { value: 100 + entries } } }], by(), store)
  return { sheet: { ...sheet, fields: kind.fields ?? FIELDS }, ids }
}

/** A sheet like the one made: its log copied item by item, the blobs shared. */
async function copyOf(kind: Kind, { sheet, ids }: { sheet: SheetRef; ids: string[] }): Promise<Scene> {
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
  const store = engine.newStore(kind.options)
  await engine.counts({ sheetId, fields: FIELDS }, {}, store)
  const copied = ids.map((id) => id.replace(sheet.sheetId.slice(6), sheetId.slice(6)))
  return { kind, sheet: { ...sheet, sheetId }, ids: copied, ctx: by(), store }
}

const write = ({ kind, sheet, ids, ctx }: Scene, store: Store) => kind.write(sheet, ids, ctx, store)
const another = ({ kind }: Scene): Store => engine.newStore(kind.options)

/** All there is to see, by a process that knows nothing yet; ids apart, which name the log's entries. */
async function sightOf({ sheet }: Scene): Promise<{ sight: unknown; newest: string | undefined }> {
  const store = engine.newStore()
  const { records, commitId } = await engine.read(sheet, {}, store)
  const error = records.filter(({ valid }) => !valid).length
  const total = records.length
  expect(await engine.counts(sheet, {}, store)).toEqual({ total, valid: total - error, error })
  expect(new Set(records.map(({ id }) => id)).size).toBe(total)
  const commits = await engine.commits(sheet.sheetId, { pageSize: 1000 })
  expect(commits[0]!.id).toBe(commitId)
  return { sight: { records: records.map(({ id, ...rest }) => rest), commits: commits.length }, newest: commitId }
}

interface Fault {
  /** Arms the fault for the request of this number. */
  arm(number: number): void
  /** By whom the write is tried, and by whom again. */
  first(scene: Scene): Store
  again(scene: Scene): Store
}

const lose = (number: number): void => {
  let left = number
  cloud.intercept.after = () => --left === 0
}

const FAULTS: { [name: string]: Fault } = {
  'dies before a request': {
    arm: (number) => {
      let left = number
      cloud.intercept.before = () => {
        if (--left <= 0) throw new Error('cut off')
      }
    },
    first: another,
    again: another,
  },
  'gives up when an answer is lost, and tries the whole again': {
    arm: lose,
    first: ({ store }) => store,
    again: ({ store }) => store,
  },
  'sends a request again whose answer was lost': {
    arm: (number) => {
      sendsAgain = true
      lose(number)
    },
    first: ({ store }) => store,
    again: another,
  },
}

type Made = Awaited<ReturnType<typeof madeFor>>

/** @returns whether the write came as far as the request of this number */
async function withFault(kind: Kind, made: Made, fault: Fault, number: number, sights: unknown[]): Promise<boolean> {
  const scene = await copyOf(kind, made)
  cloud.meter.reset()
  fault.arm(number)
  const done = await write(scene, fault.first(scene)).catch(() => undefined)
  const reached = cloud.meter.count() >= number
  calm()
  const [, after] = sights
  const { sight, newest } = await sightOf(scene)
  expect(done ? [after] : sights).toContainEqual(sight)
  if (done) expect(done.commitId).toBe(newest)
  const again = await write(scene, fault.again(scene))
  expect(await sightOf(scene)).toEqual({ sight: after, newest: again.commitId })
  return reached
}

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  let made: Made
  const sights: unknown[] = []

  beforeAll(async () => {
    made = await madeFor(kind)
    const scene = await copyOf(kind, made)
    sights.push((await sightOf(await copyOf(kind, made))).sight)
    await write(scene, scene.store)
    sights.push((await sightOf(scene)).sight)
    expect(sights[1]).not.toEqual(sights[0])
  })

  it.each(Object.entries(FAULTS))('is there whole or not at all when its writer %s', async (_, fault) => {
    let number = 1
    while (await withFault(kind, made, fault, number, sights)) number++
    expect(number).toBeGreaterThan(2)
  })
})
