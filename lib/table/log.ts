/**
 * The items of the record log in DynamoDB: pages, bodies, manifests and completions. Moves bytes and texts;
 * what an entry means is for lib/records to know.
 *
 *   log page    sh#<sheetId>  l#<page>      q: entries, u: how many guarded, emitted: indexes of published ones,
 *                                           pendingpk/pendingsk while some are not
 *   manifest    sh#<sheetId>  l#<page>~m    z: the state after that full page, or r: where it is
 *   body        sh#<sheetId>  b#<id>        z: an entry's body
 *   context     sh#<sheetId>  e#<id>        z: what the events of many entries have in common
 *   completion  sh#<sheetId>  x#<seq>       by, at
 *   trail       sh#<sheetId>  t#<number>    z: which records some entries touched
 */
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { shardOf } from '../core/ids.ts'
import { batchDelete, batchGet, type Item, put } from './batch.ts'
import { dynamo, tableName } from './client.ts'

const FORM = { N: '1' }

export const PENDING_SHARDS = 8
export const PENDING_INDEX = 'pending'

const sheetPk = (sheetId: string): AttributeValue => ({ S: `sh#${sheetId}` })
const digits = (number: number): string => String(number).padStart(8, '0')
const pageSk = (page: number): string => `l#${digits(page)}`
const manifestSk = (page: number): string => `${pageSk(page)}~m`
const trailSk = (number: number): string => `t#${digits(number)}`
const completionSk = (seq: number): string => `x#${digits(seq)}`

export interface LogPage {
  page: number
  entries: string[]
  /** Entries appended under guard. */
  guarded: number
  /** Indexes of entries whose events are published. */
  emitted: ReadonlySet<number>
}

/** The state after a full page: its bytes, or the name under which a blob holds them. */
export interface StoredManifest {
  page: number
  bytes?: Uint8Array
  reference?: string
}

export interface LogItems {
  /** Ascending. */
  pages: LogPage[]
  /** The newest manifest among the items read. */
  manifest: StoredManifest | undefined
}

function pageOf(item: Item): LogPage {
  return {
    page: Number(item.sk!.S!.slice(2, 10)),
    entries: (item.q?.L ?? []).map((entry) => entry.S!),
    guarded: Number(item.u?.N ?? 0),
    emitted: new Set((item.emitted?.NS ?? []).map(Number)),
  }
}

function logItems(items: readonly Item[]): LogItems {
  const pages: LogPage[] = []
  let manifest: StoredManifest | undefined
  for (const item of items) {
    if (!item.sk!.S!.endsWith('~m')) pages.push(pageOf(item))
    else if (!manifest || manifest.page < Number(item.sk!.S!.slice(2, 10)))
      manifest = { page: Number(item.sk!.S!.slice(2, 10)), bytes: item.z?.B, reference: item.r?.S }
  }
  pages.sort((a, b) => a.page - b.page)
  return { pages, manifest }
}

/** A sheet's items with sort keys from `from` to `to`, answer by answer; strongly consistent. Everything unless told. */
async function* itemsOf(sheetId: string, from = ' ', to = '~', projection?: string): AsyncGenerator<Item[]> {
  let start: Item | undefined
  do {
    const answer: { Items?: Item[]; LastEvaluatedKey?: Item } = await dynamo.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': sheetPk(sheetId), ':from': { S: from }, ':to': { S: to } },
        ProjectionExpression: projection,
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    )
    yield answer.Items ?? []
    start = answer.LastEvaluatedKey
  } while (start)
}

/** Pages from `fromPage` on; strongly consistent. */
export async function pagesFrom(sheetId: string, fromPage: number, toPage = 99_999_999): Promise<LogPage[]> {
  const items: Item[] = []
  for await (const some of itemsOf(sheetId, pageSk(fromPage), pageSk(toPage))) items.push(...some)
  return logItems(items).pages
}

/** Up to `limit` pages and manifests, the newest of those at or before `toPage` (its manifest excluded). */
export async function pagesBack(sheetId: string, toPage: number | undefined, limit: number): Promise<LogItems> {
  const answer = await dynamo.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': sheetPk(sheetId),
        ':from': { S: 'l#' },
        ':to': { S: toPage === undefined ? 'l#~' : pageSk(toPage) },
      },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: limit,
    }),
  )
  return logItems(answer.Items ?? [])
}

export async function pageAt(sheetId: string, page: number): Promise<LogPage | undefined> {
  const { Item: item } = await dynamo.send(
    new GetItemCommand({ TableName: tableName(), Key: pageKey(sheetId, page), ConsistentRead: true }),
  )
  return item && pageOf(item)
}

const pageKey = (sheetId: string, page: number): Item => ({ pk: sheetPk(sheetId), sk: { S: pageSk(page) } })

/** What must hold for an append: room on the page; nothing guarded come since; nothing at all come since. */
export type AppendCondition =
  | { kind: 'room'; limit: number }
  | { kind: 'guard'; limit: number; guarded: number }
  | { kind: 'exact'; entries: number }

export interface Append {
  sheetId: string
  page: number
  entry: string
  condition: AppendCondition
  /** Counts among the guarded entries of the page. */
  guards: boolean
  /** ISO time since which the page waits to be published; absent when the entry has no events. */
  pendingSince?: string
}

/** The page after an append: with the new entry last, or as it stood in the way; undefined when there was none yet. */
export interface AppendAnswer {
  isAppended: boolean
  page: LogPage | undefined
}

/** Appends one entry, if the condition holds. */
export async function appendEntry(append: Append): Promise<AppendAnswer> {
  const { sheetId, page, condition } = append
  const sets = ['q = list_append(if_not_exists(q, :none), :entry)', 'f = :form']
  const values: Item = { ':none': { L: [] }, ':entry': { L: [{ S: append.entry }] }, ':form': FORM }
  if (append.guards) {
    sets.push('u = if_not_exists(u, :zero) + :one')
    values[':zero'] = { N: '0' }
    values[':one'] = { N: '1' }
  }
  if (append.pendingSince) {
    sets.push('pendingpk = if_not_exists(pendingpk, :shard)', 'pendingsk = if_not_exists(pendingsk, :since)')
    values[':shard'] = { S: `log#${shardOf(sheetId, PENDING_SHARDS)}` }
    values[':since'] = { S: `${append.pendingSince}#${sheetId}#${page}` }
  }
  let inTheWay: LogPage | undefined
  const update = {
    UpdateExpression: `SET ${sets.join(', ')}`,
    ConditionExpression: conditionText(condition, values),
    ExpressionAttributeValues: values,
  }
  const after = await updatePage(sheetId, page, update, (item) => {
    inTheWay = pageOf(item)
  })
  return { isAppended: after !== undefined, page: after ?? inTheWay }
}

function conditionText(condition: AppendCondition, values: Item): string {
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

export async function putBody(sheetId: string, id: string, bytes: Uint8Array): Promise<void> {
  await put({ pk: sheetPk(sheetId), sk: { S: `b#${id}` }, z: { B: bytes } })
}

/** Bodies by id. @throws when one is missing */
export async function getBodies(sheetId: string, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
  // An append sent twice by the client is two entries of one body; a batch must not name an item twice.
  const items = await batchGet([...new Set(ids)].map((id) => ({ pk: sheetPk(sheetId), sk: { S: `b#${id}` } })))
  const bodies = new Map(items.map((item) => [item.sk!.S!.slice(2), item.z!.B!]))
  for (const id of ids) if (!bodies.has(id)) throw new Error(`The body ${id} of sheet ${sheetId}'s log is missing`)
  return bodies
}

/** Stores what entries name by `id`; the same id always stands for the same bytes. */
export async function putContext(sheetId: string, id: string, bytes: Uint8Array): Promise<void> {
  await put({ pk: sheetPk(sheetId), sk: { S: `e#${id}` }, z: { B: bytes } })
}

/** Contexts by id; one that is missing is left out. */
export async function getContexts(sheetId: string, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const items = await batchGet([...new Set(ids)].map((id) => ({ pk: sheetPk(sheetId), sk: { S: `e#${id}` } })))
  return new Map(items.map((item) => [item.sk!.S!.slice(2), item.z!.B!]))
}

export async function putManifest(sheetId: string, manifest: StoredManifest): Promise<void> {
  const content: Item = manifest.bytes ? { z: { B: manifest.bytes } } : { r: { S: manifest.reference! } }
  await put({ pk: sheetPk(sheetId), sk: { S: manifestSk(manifest.page) }, ...content })
}

/** Names of the blobs that hold manifests of a sheet. */
export async function manifestReferences(sheetId: string): Promise<string[]> {
  const references: string[] = []
  for await (const items of itemsOf(sheetId, 'l#', 'l#~', 'r'))
    for (const { r } of items) if (r?.S !== undefined) references.push(r.S)
  return references
}

export async function putTrail(sheetId: string, number: number, bytes: Uint8Array): Promise<void> {
  await put({ pk: sheetPk(sheetId), sk: { S: trailSk(number) }, z: { B: bytes } })
}

/** Stored trails from the first number to the last, by number. */
export async function trailsIn(sheetId: string, first: number, last: number): Promise<Map<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>()
  for await (const items of itemsOf(sheetId, trailSk(first), trailSk(last)))
    for (const { sk, z } of items) found.set(Number(sk!.S!.slice(2)), z!.B!)
  return found
}

export interface Completion {
  seq: number
  by: string
  /** Epoch milliseconds. */
  at: number
}

/** Notes a commit's completion once; answers the first one. */
export async function putCompletion(sheetId: string, completion: Completion): Promise<Completion> {
  const key = { pk: sheetPk(sheetId), sk: { S: completionSk(completion.seq) } }
  const { Attributes } = await dynamo.send(
    new UpdateItemCommand({
      TableName: tableName(),
      Key: key,
      UpdateExpression: 'SET #by = if_not_exists(#by, :by), #at = if_not_exists(#at, :at), f = :form',
      ExpressionAttributeNames: { '#by': 'by', '#at': 'at' },
      ExpressionAttributeValues: { ':by': { S: completion.by }, ':at': { N: String(completion.at) }, ':form': FORM },
      ReturnValues: 'ALL_NEW',
    }),
  )
  return { seq: completion.seq, by: Attributes!.by!.S!, at: Number(Attributes!.at!.N) }
}

/** Completions of commits with seqs in [from, to]. */
export async function completionsIn(sheetId: string, from: number, to: number): Promise<Map<number, Completion>> {
  const found = new Map<number, Completion>()
  for await (const items of itemsOf(sheetId, completionSk(from), completionSk(to))) {
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
  /** ISO time of its first unpublished entry. */
  since: string
}

/** Pages of a shard that wait to be published, oldest first. */
export async function pendingIn(shard: number, before: string, limit: number): Promise<PendingPage[]> {
  const { Items } = await dynamo.send(
    new QueryCommand({
      TableName: tableName(),
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

/** Entries whose events are published, and what would make them the last ones of their page. */
export interface Emitted {
  indexes: readonly number[]
  /** The page is done if it holds this many entries, ... */
  entries: number
  /** ... and these many others are published. */
  others: number
}

/** Notes entries as published and, if they are the last ones, takes the page off the pending list: one write, mostly. */
export async function markEmitted(sheetId: string, page: number, emitted: Emitted): Promise<LogPage | 'done'> {
  const add = { ':indexes': { NS: emitted.indexes.map(String) } }
  const values = { ...add, ':entries': { N: String(emitted.entries) } }
  const others = emitted.others === 0 ? 'attribute_not_exists(emitted)' : 'size(emitted) = :others'
  const done = await updatePage(sheetId, page, {
    UpdateExpression: 'ADD emitted :indexes REMOVE pendingpk, pendingsk',
    ConditionExpression: `size(q) = :entries AND ${others}`,
    ExpressionAttributeValues: emitted.others === 0 ? values : { ...values, ':others': { N: String(emitted.others) } },
  })
  if (done) return 'done'
  const noted = await updatePage(sheetId, page, {
    UpdateExpression: 'ADD emitted :indexes',
    ConditionExpression: 'attribute_exists(q)',
    ExpressionAttributeValues: add,
  })
  if (!noted) throw new Error(`Sheet ${sheetId} has no log page ${page}`)
  return noted
}

/** Takes a page off the pending list, unless it changed since it was seen with these numbers; true when it is off. */
export async function clearPending(sheetId: string, page: number, entries: number, emitted: number): Promise<boolean> {
  const cleared = await updatePage(sheetId, page, {
    UpdateExpression: 'REMOVE pendingpk, pendingsk',
    ConditionExpression: 'size(q) = :entries AND size(emitted) = :emitted',
    ExpressionAttributeValues: { ':entries': { N: String(entries) }, ':emitted': { N: String(emitted) } },
  })
  return cleared !== undefined
}

interface PageUpdate {
  UpdateExpression: string
  ConditionExpression: string
  ExpressionAttributeValues: Item
}

/** The page after the update; undefined when the condition failed: then it goes to `onFailure` as it is. */
async function updatePage(
  sheetId: string,
  page: number,
  update: PageUpdate,
  onFailure?: (item: Item) => void,
): Promise<LogPage | undefined> {
  try {
    const { Attributes } = await dynamo.send(
      new UpdateItemCommand({
        TableName: tableName(),
        Key: pageKey(sheetId, page),
        ...update,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: onFailure ? 'ALL_OLD' : 'NONE',
      }),
    )
    return pageOf(Attributes!)
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    if (error.Item) onFailure?.(error.Item)
    return undefined
  }
}

/** Deletes every item of the sheet's log; repeatable. */
export async function deleteLog(sheetId: string): Promise<void> {
  for await (const keys of itemsOf(sheetId, undefined, undefined, 'pk, sk')) await batchDelete(keys)
}
