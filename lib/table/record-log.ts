/**
 * Items of the record log, under pk sh#<sheetId>; lib/records knows what their bytes mean.
 * - page l#<page>: q packed entries (text in older pages), u guarded ones, emitted indexes, pendingpk/pendingsk while some are unpublished
 * - manifest l#<page>~m: z state after that full page, or r its location
 * - body b#<id>: z; context e#<id>: z, shared by the events of many entries
 * - completion x#<seq>: by, at; touch index t#<number>: z
 */
import { type AttributeValue, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { getShard } from '../core/ids.ts'
import { batchDelete, batchGet, getItem, type Item, putItem } from './batch.ts'
import { dynamo, getTableName } from './client.ts'
import { isConditionFailure } from './condition.ts'
import { packEntry, unpackEntry } from './packed-entry.ts'
import type { Write } from './write.ts'

const FORMAT_VERSION = { N: '1' }

export const PENDING_SHARDS = 8
export const PENDING_INDEX = 'pending'

const buildSheetPk = (sheetId: string): AttributeValue => ({ S: `sh#${sheetId}` })
const padNumber = (number: number): string => String(number).padStart(8, '0')
const buildPageSk = (page: number): string => `l#${padNumber(page)}`
const buildManifestSk = (page: number): string => `${buildPageSk(page)}~m`
const buildBodySk = (id: string): string => `b#${id}`
const buildTouchIndexSk = (number: number): string => `t#${padNumber(number)}`
const buildCompletionSk = (seq: number): string => `x#${padNumber(seq)}`

export interface LogPage {
  page: number
  entries: string[]
  guarded: number
  emitted: ReadonlySet<number>
}

export interface StoredManifest {
  page: number
  bytes?: Uint8Array
  reference?: string
}

export interface LogItems {
  pages: LogPage[]
  manifest: StoredManifest | undefined
}

function parsePage(item: Item): LogPage {
  return {
    page: Number(item.sk!.S!.slice(2, 10)),
    entries: (item.q?.L ?? []).map(({ S, B }) => S ?? unpackEntry(B!)),
    guarded: Number(item.u?.N ?? 0),
    emitted: new Set((item.emitted?.NS ?? []).map(Number)),
  }
}

function parseLogItems(items: readonly Item[]): LogItems {
  const pages: LogPage[] = []
  let manifest: StoredManifest | undefined
  for (const item of items) {
    if (!item.sk!.S!.endsWith('~m')) pages.push(parsePage(item))
    else if (!manifest || manifest.page < Number(item.sk!.S!.slice(2, 10)))
      manifest = { page: Number(item.sk!.S!.slice(2, 10)), bytes: item.z?.B, reference: item.r?.S }
  }
  pages.sort((a, b) => a.page - b.page)
  return { pages, manifest }
}

async function* querySheetItems(sheetId: string, from = ' ', to = '~', projection?: string): AsyncGenerator<Item[]> {
  let start: Item | undefined
  do {
    const response: { Items?: Item[]; LastEvaluatedKey?: Item } = await dynamo.send(
      new QueryCommand({
        TableName: getTableName(),
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': buildSheetPk(sheetId), ':from': { S: from }, ':to': { S: to } },
        ProjectionExpression: projection,
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    )
    yield response.Items ?? []
    start = response.LastEvaluatedKey
  } while (start)
}

async function listSheetItems(sheetId: string, from: string, to: string): Promise<Item[]> {
  const items: Item[] = []
  for await (const batch of querySheetItems(sheetId, from, to)) items.push(...batch)
  return items
}

export async function readPagesFrom(sheetId: string, fromPage: number, toPage = 99_999_999): Promise<LogPage[]> {
  return parseLogItems(await listSheetItems(sheetId, buildPageSk(fromPage), buildPageSk(toPage))).pages
}

/** The newest `limit` pages and manifests up to `toPage`, without its manifest. */
export async function readPagesBackward(sheetId: string, toPage: number | undefined, limit: number): Promise<LogItems> {
  const response = await dynamo.send(
    new QueryCommand({
      TableName: getTableName(),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': buildSheetPk(sheetId),
        ':from': { S: 'l#' },
        ':to': { S: toPage === undefined ? 'l#~' : buildPageSk(toPage) },
      },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: limit,
    }),
  )
  return parseLogItems(response.Items ?? [])
}

export async function readPage(sheetId: string, page: number): Promise<LogPage | undefined> {
  const item = await getItem(buildPageKey(sheetId, page))
  return item && parsePage(item)
}

const buildPageKey = (sheetId: string, page: number): Item => ({
  pk: buildSheetPk(sheetId),
  sk: { S: buildPageSk(page) },
})

/** 'room': the page has space; 'guard': no guarded entry since; 'exact': no entry since. */
export type AppendCondition =
  | { kind: 'room'; limit: number }
  | { kind: 'guard'; limit: number; guarded: number }
  | { kind: 'exact'; entries: number }

export interface Append {
  sheetId: string
  page: number
  entry: string
  condition: AppendCondition
  guards: boolean
  /** ISO time; absent if the entry has no events. */
  pendingSince?: string
}

export interface PageAppendResult {
  isAppended: boolean
  page: LogPage | undefined
}

export async function appendEntry(append: Append): Promise<PageAppendResult> {
  const { sheetId, page, condition } = append
  const sets = ['q = list_append(if_not_exists(q, :none), :entry)', 'f = :form']
  const values: Item = {
    ':none': { L: [] },
    ':entry': { L: [{ B: packEntry(append.entry) }] },
    ':form': FORMAT_VERSION,
  }
  if (append.guards) {
    sets.push('u = if_not_exists(u, :zero) + :one')
    values[':zero'] = { N: '0' }
    values[':one'] = { N: '1' }
  }
  if (append.pendingSince) {
    sets.push('pendingpk = if_not_exists(pendingpk, :shard)', 'pendingsk = if_not_exists(pendingsk, :since)')
    values[':shard'] = { S: `log#${getShard(sheetId, PENDING_SHARDS)}` }
    values[':since'] = { S: `${append.pendingSince}#${sheetId}#${page}` }
  }
  const { isUpdated, page: newest } = await updatePage(sheetId, page, {
    UpdateExpression: `SET ${sets.join(', ')}`,
    ConditionExpression: buildCondition(condition, values),
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  return { isAppended: isUpdated, page: newest }
}

function buildCondition(condition: AppendCondition, values: Item): string {
  if (condition.kind === 'exact') {
    if (condition.entries === 0) return 'attribute_not_exists(q)'
    values[':entries'] = { N: String(condition.entries) }
    return 'size(q) = :entries'
  }
  values[':limit'] = { N: String(condition.limit) }
  const room = '(attribute_not_exists(q) OR size(q) < :limit)'
  if (condition.kind === 'room') return room
  if (condition.guarded === 0) return `${room} AND attribute_not_exists(u)`
  values[':guarded'] = { N: String(condition.guarded) }
  return `${room} AND u = :guarded`
}

const buildBodyKey = (sheetId: string, id: string): Item => ({ pk: buildSheetPk(sheetId), sk: { S: buildBodySk(id) } })

export async function putBody(sheetId: string, id: string, bytes: Uint8Array): Promise<void> {
  await putItem({ ...buildBodyKey(sheetId, id), z: { B: bytes } })
}

/** @param areNeighbours queries them, because a batch charges a unit for each item; @throws when one is missing */
export async function getBodies(
  sheetId: string,
  ids: readonly string[],
  areNeighbours: boolean,
): Promise<Map<string, Uint8Array>> {
  // A retried append makes two entries with one body, and a batch must not name an item twice.
  const sorted = [...new Set(ids)].sort()
  const items = areNeighbours
    ? await listSheetItems(sheetId, buildBodySk(sorted[0]!), buildBodySk(sorted.at(-1)!))
    : await batchGet(sorted.map((id) => buildBodyKey(sheetId, id)))
  const bodies = new Map(items.map((item) => [item.sk!.S!.slice(2), item.z!.B!]))
  for (const id of ids) if (!bodies.has(id)) throw new Error(`The body ${id} of sheet ${sheetId}'s log is missing`)
  return bodies
}

export async function putContext(sheetId: string, id: string, bytes: Uint8Array): Promise<void> {
  await putItem({ pk: buildSheetPk(sheetId), sk: { S: `e#${id}` }, z: { B: bytes } })
}

export async function getContexts(sheetId: string, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const items = await batchGet([...new Set(ids)].map((id) => ({ pk: buildSheetPk(sheetId), sk: { S: `e#${id}` } })))
  return new Map(items.map((item) => [item.sk!.S!.slice(2), item.z!.B!]))
}

export async function putManifest(sheetId: string, manifest: StoredManifest): Promise<void> {
  const content: Item = manifest.bytes ? { z: { B: manifest.bytes } } : { r: { S: manifest.reference! } }
  await putItem({ pk: buildSheetPk(sheetId), sk: { S: buildManifestSk(manifest.page) }, ...content })
}

export async function readManifestReferences(sheetId: string): Promise<string[]> {
  const references: string[] = []
  for await (const items of querySheetItems(sheetId, 'l#', 'l#~', 'r'))
    for (const { r } of items) if (r?.S !== undefined) references.push(r.S)
  return references
}

export async function putTouchIndex(sheetId: string, number: number, bytes: Uint8Array): Promise<void> {
  await putItem({ pk: buildSheetPk(sheetId), sk: { S: buildTouchIndexSk(number) }, z: { B: bytes } })
}

export async function readTouchIndexes(sheetId: string, first: number, last: number): Promise<Map<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>()
  for await (const items of querySheetItems(sheetId, buildTouchIndexSk(first), buildTouchIndexSk(last)))
    for (const { sk, z } of items) found.set(Number(sk!.S!.slice(2)), z!.B!)
  return found
}

export interface Completion {
  seq: number
  by: string
  /** Epoch milliseconds. */
  at: number
}

/** For a transaction that announces the completion; its condition fails if the commit is completed already. */
export const buildCompletionWrite = (sheetId: string, { seq, by, at }: Completion): Write => ({
  Update: {
    TableName: getTableName(),
    Key: { pk: buildSheetPk(sheetId).S, sk: buildCompletionSk(seq) },
    UpdateExpression: 'SET #by = :by, #at = :at, f = :form',
    ConditionExpression: 'attribute_not_exists(#at)',
    ExpressionAttributeNames: { '#by': 'by', '#at': 'at' },
    ExpressionAttributeValues: { ':by': by, ':at': at, ':form': Number(FORMAT_VERSION.N) },
  },
})

/** Idempotent; returns the first completion. */
export async function putCompletion(sheetId: string, completion: Completion): Promise<Completion> {
  const key = { pk: buildSheetPk(sheetId), sk: { S: buildCompletionSk(completion.seq) } }
  const { Attributes } = await dynamo.send(
    new UpdateItemCommand({
      TableName: getTableName(),
      Key: key,
      UpdateExpression: 'SET #by = if_not_exists(#by, :by), #at = if_not_exists(#at, :at), f = :form',
      ExpressionAttributeNames: { '#by': 'by', '#at': 'at' },
      ExpressionAttributeValues: {
        ':by': { S: completion.by },
        ':at': { N: String(completion.at) },
        ':form': FORMAT_VERSION,
      },
      ReturnValues: 'ALL_NEW',
    }),
  )
  return { seq: completion.seq, by: Attributes!.by!.S!, at: Number(Attributes!.at!.N) }
}

export async function readCompletions(sheetId: string, from: number, to: number): Promise<Map<number, Completion>> {
  const found = new Map<number, Completion>()
  for await (const items of querySheetItems(sheetId, buildCompletionSk(from), buildCompletionSk(to))) {
    for (const item of items) {
      const seq = Number(item.sk!.S!.slice(2))
      found.set(seq, { seq, by: item.by!.S!, at: Number(item.at!.N) })
    }
  }
  return found
}

export interface PendingPage {
  sheetId: string
  page: number
  since: string
}

export async function readPendingPages(shard: number, before: string, limit: number): Promise<PendingPage[]> {
  const { Items } = await dynamo.send(
    new QueryCommand({
      TableName: getTableName(),
      IndexName: PENDING_INDEX,
      KeyConditionExpression: 'pendingpk = :shard AND pendingsk < :before',
      ExpressionAttributeValues: { ':shard': { S: `log#${shard}` }, ':before': { S: before } },
      Limit: limit,
    }),
  )
  return (Items ?? []).map((item) => {
    const [since, sheetId, page] = item.pendingsk!.S!.split('#')
    return { since: since!, sheetId: sheetId!, page: Number(page) }
  })
}

export interface EmittedEntries {
  indexes: readonly number[]
  entries: number
  others: number
}

export async function markEmitted(sheetId: string, page: number, emitted: EmittedEntries): Promise<LogPage | 'done'> {
  const add = { ':indexes': { NS: emitted.indexes.map(String) } }
  const values = { ...add, ':entries': { N: String(emitted.entries) } }
  const others = emitted.others === 0 ? 'attribute_not_exists(emitted)' : 'size(emitted) = :others'
  const done = await updatePage(sheetId, page, {
    UpdateExpression: 'ADD emitted :indexes REMOVE pendingpk, pendingsk',
    ConditionExpression: `size(q) = :entries AND ${others}`,
    ExpressionAttributeValues: emitted.others === 0 ? values : { ...values, ':others': { N: String(emitted.others) } },
  })
  if (done.isUpdated) return 'done'
  const marked = await updatePage(sheetId, page, {
    UpdateExpression: 'ADD emitted :indexes',
    ConditionExpression: 'attribute_exists(q)',
    ExpressionAttributeValues: add,
  })
  if (!marked.page) throw new Error(`Sheet ${sheetId} has no log page ${page}`)
  return marked.page
}

/** Returns false if the page changed meanwhile. */
export async function clearPending(sheetId: string, page: number, entries: number, emitted: number): Promise<boolean> {
  const { isUpdated } = await updatePage(sheetId, page, {
    UpdateExpression: 'REMOVE pendingpk, pendingsk',
    ConditionExpression: 'size(q) = :entries AND size(emitted) = :emitted',
    ExpressionAttributeValues: { ':entries': { N: String(entries) }, ':emitted': { N: String(emitted) } },
  })
  return isUpdated
}

interface PageUpdate {
  UpdateExpression: string
  ConditionExpression: string
  ExpressionAttributeValues: Item
  /** Returns the page that failed the condition. */
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD'
}

async function updatePage(
  sheetId: string,
  page: number,
  update: PageUpdate,
): Promise<{ isUpdated: boolean; page: LogPage | undefined }> {
  try {
    const { Attributes } = await dynamo.send(
      new UpdateItemCommand({
        TableName: getTableName(),
        Key: buildPageKey(sheetId, page),
        ...update,
        ReturnValues: 'ALL_NEW',
      }),
    )
    return { isUpdated: true, page: parsePage(Attributes!) }
  } catch (error) {
    if (!isConditionFailure(error)) throw error
    return { isUpdated: false, page: error.Item && parsePage(error.Item) }
  }
}

export async function deleteLog(sheetId: string): Promise<void> {
  for await (const keys of querySheetItems(sheetId, undefined, undefined, 'pk, sk')) await batchDelete(keys)
}
