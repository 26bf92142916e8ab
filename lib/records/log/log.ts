/**
 * Reads a sheet's log and appends to it. A single conditional update commits; nothing is ever overwritten.
 * Appends are free (cell values: entries commute), guarded (duplicates: no other guarded entry in between) or exact
 * (rewrites and deletes: no entry at all in between).
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ulid } from 'ulid'
import { compressJson, decompressJson } from '../../core/compressed-json.ts'
import { measure } from '../../core/stopwatch.ts'
import {
  type AppendCondition,
  appendEntry,
  getBodies,
  getContexts,
  type LogPage,
  type PageAppendResult,
  putBody,
  putContext,
  putManifest,
  readPage,
  readPagesBackward,
  readPagesFrom,
} from '../../table/record-log.ts'
import { packRaw } from '../format/chunk.ts'
import {
  type BlobForm,
  type Body,
  ENTRIES_PER_PAGE,
  type Entry,
  type EntryKind,
  FORMAT_VERSION,
  isFullReset,
  type LoadedEntry,
} from '../format/entries.ts'
import type { WriteContext } from '../sheet.ts'
import { fold, foldReset } from '../state/fold.ts'
import { toBlobRef } from '../state/fold-context.ts'
import { packManifest, unpackManifest } from '../state/manifest.ts'
import { type BlobRef, emptyState, type State } from '../state/state.ts'
import { listEntries, type PageEntry, postponeEntry } from './page-entries.ts'
import { isUntouched, type ReadSet } from './read-set.ts'
import { cacheState, cacheVersion, getCachedVersion, getChunks, processStore, putBlob, type Store } from './store.ts'

const MANIFEST_PAGES = 8
/** Larger bodies and manifests become blobs, since a DynamoDB item holds at most 400 KB. */
const ITEM_BODY_BYTES = 300_000

const getPageNumber = (seq: number): number => Math.floor(seq / ENTRIES_PER_PAGE)

/** The current state; reads a single item when the sheet is cached. */
export async function sync(store: Store, sheetId: string): Promise<State> {
  const cached = store.states.get(sheetId)
  if (!cached) return cacheState(store, await loadState(store, sheetId))
  return cacheState(store, await foldPages(store, cached, await readNewPages(cached)))
}

/** A query finds all pages but costs more than this many reads by key. */
const MAX_SINGLE_PAGE_READS = 2

async function readNewPages({ sheetId, seq }: State): Promise<LogPage[]> {
  const pages: LogPage[] = []
  for (let pageNumber = getPageNumber(seq); pages.length < MAX_SINGLE_PAGE_READS; pageNumber++) {
    const page = await readPage(sheetId, pageNumber)
    if (page) pages.push(page)
    if (page === undefined || page.entries.length < ENTRIES_PER_PAGE) return pages
  }
  return [...pages, ...(await readPagesFrom(sheetId, getPageNumber(seq) + pages.length))]
}

export async function stateAt(store: Store, sheetId: string, seq: number): Promise<State> {
  return getCachedVersion(store, sheetId, seq) ?? cacheVersion(store, await loadState(store, sheetId, seq))
}

async function loadState(store: Store, sheetId: string, until?: number): Promise<State> {
  const { pages, base } = await readNewestPages(store, sheetId, until)
  const state = await foldPages(store, base ?? emptyState(sheetId), pages, until)
  if (until === undefined && pages.length > 2 * MANIFEST_PAGES) await repairManifest(store, sheetId, state.seq)
  return state
}

async function readNewestPages(
  store: Store,
  sheetId: string,
  until: number | undefined,
): Promise<{ pages: LogPage[]; base: State | undefined }> {
  const pages: LogPage[] = []
  let toPage = until === undefined ? undefined : getPageNumber(until)
  for (;;) {
    const items = await readPagesBackward(sheetId, toPage, MANIFEST_PAGES + 2)
    pages.unshift(...items.pages)
    if (items.manifest) {
      const from = items.manifest.page + 1
      const bytes = items.manifest.bytes ?? (await readReference(store, items.manifest.reference!))
      return { pages: pages.filter(({ page }) => page >= from), base: unpackManifest(sheetId, bytes) }
    }
    const firstPage = items.pages[0]?.page ?? 0
    if (firstPage === 0) return { pages, base: undefined }
    toPage = firstPage - 1
  }
}

async function repairManifest(store: Store, sheetId: string, seq: number): Promise<void> {
  const page = Math.floor(getPageNumber(seq) / MANIFEST_PAGES) * MANIFEST_PAGES - 1
  if (page >= 0) await storeManifest(store, page, await loadState(store, sheetId, (page + 1) * ENTRIES_PER_PAGE))
}

async function storeManifest(store: Store, page: number, state: State): Promise<void> {
  const bytes = packManifest(state)
  if (bytes.length <= ITEM_BODY_BYTES) return putManifest(state.sheetId, { page, bytes })
  const blob = await putBlob(store, state.sheetId, [{ name: 'manifest', packed: packRaw(bytes) }])
  await putManifest(state.sheetId, { page, reference: JSON.stringify(encodeBlobRef(blob)) })
}

const encodeBlobRef = (blob: BlobRef): BlobForm => [blob.id, blob.tier, 0, [...blob.lengths]]

async function readReference(store: Store, reference: string): Promise<Buffer> {
  const blob = toBlobRef([['manifest']], JSON.parse(reference) as BlobForm)
  const [bytes] = await getChunks(store, [{ blob, index: 0 }])
  return bytes!
}

async function foldPages(
  store: Store,
  state: State,
  pages: readonly LogPage[],
  until = Number.POSITIVE_INFINITY,
): Promise<State> {
  return foldEntries(store, state, await loadNewEntries(store, state, pages, until))
}

function loadNewEntries(
  store: Store,
  state: State,
  pages: readonly LogPage[],
  until = Number.POSITIVE_INFINITY,
): Promise<LoadedEntry[]> {
  const newEntries = pages.flatMap(listEntries).filter(({ seq }) => seq >= state.seq && seq < until)
  return loadEntries(store, state.sheetId, newEntries)
}

async function foldEntries(store: Store, state: State, loaded: readonly LoadedEntry[]): Promise<State> {
  let folded = state
  for (let from = 0; from < loaded.length; ) {
    const reset = loaded.findIndex(({ body }, i) => i >= from && isFullReset(body))
    const to = reset < 0 ? loaded.length : reset
    if (to > from) folded = fold(folded, loaded.slice(from, to))
    if (reset >= 0) {
      const { body } = loaded[reset]!
      folded = foldReset(folded, await stateAt(store, state.sheetId, (body as { to: number }).to), loaded[reset]!)
    }
    from = to + 1
  }
  return folded
}

export async function loadEntries(
  store: Store,
  sheetId: string,
  entries: readonly PageEntry[],
): Promise<LoadedEntry[]> {
  const ids = entries.flatMap(({ entry }) => (typeof entry.r === 'string' ? [entry.r] : []))
  const bodies = ids.length
    ? await getBodies(sheetId, ids, areNeighbours(entries, ids.length))
    : new Map<string, Uint8Array>()
  return Promise.all(
    entries.map(async ({ seq, entry }) => {
      if (entry.b) return { seq, entry, body: entry.b }
      const bytes = typeof entry.r === 'string' ? bodies.get(entry.r)! : await readBodyBlob(store, entry.r!)
      return { seq, entry, body: decompressJson(bytes) as Body }
    }),
  )
}

const MIN_NEIGHBOURS = 3
const MIN_SHARE_OF_NEIGHBOURS = 0.5

const areNeighbours = (entries: readonly PageEntry[], bodies: number): boolean =>
  bodies >= MIN_NEIGHBOURS && bodies >= (entries.at(-1)!.seq - entries[0]!.seq + 1) * MIN_SHARE_OF_NEIGHBOURS

async function readBodyBlob(store: Store, form: BlobForm): Promise<Buffer> {
  const [bytes] = await getChunks(store, [{ blob: toBlobRef([['body']], form), index: 0 }])
  return bytes!
}

export interface Plan {
  kind: EntryKind
  body: Body
  /** `checked`: no guarded entry may come in between, but this one is not guarded itself. */
  mode: 'free' | 'checked' | 'guarded' | 'exact'
  /** Asked before the plan is appended to a newer state; without it only the mode decides. */
  stillFits?: (state: State) => boolean
  isInternal?: boolean
  unwritten?: readonly number[]
  /** Read sets of a guarded plan; without them, any concurrent guarded entry forces a new plan. */
  readSets?: readonly ReadSet[]
}

export interface AppendResult {
  seq: number
  state: State
  /** The page after the append, its new entry last; undefined when the operation was already in the log. */
  page: LogPage | undefined
}

/** Callers add what else they need to know of the last attempt. */
interface Attempt {
  plan: Plan | undefined
}

interface Appending<A extends Attempt> {
  lastAttempt: A
  state: State
  appended: AppendResult | undefined
}

/** Appends the plan for the newest state; plans again if a concurrent append invalidates it. */
export async function append<A extends Attempt>(
  store: Store,
  start: State,
  ctx: WriteContext,
  planAttempt: (state: State, attempt: number) => Promise<A>,
): Promise<Appending<A>> {
  let state = start
  let attempts = 0
  let lastAttempt = await planAttempt(state, attempts++)
  let view = state.seq
  let text: string | undefined
  for (let lostRaces = 0; lastAttempt.plan; lostRaces++) {
    text = postponeEntry(
      text ?? (await serializeEntry(store, state.sheetId, ctx, lastAttempt.plan, view)),
      state.latestAt,
    )
    const { isAppended, page } = await measure('writing', () => tryAppend(state, ctx, lastAttempt.plan!, text!))
    if (isAppended) {
      const appended = await finishAppend(store, state, ctx.op, page!)
      return { lastAttempt, state: appended.state, appended }
    }
    await waitWithJitter(lostRaces)
    const pulled = await pullEntries(store, state, page, lostRaces === 0)
    state = pulled.state
    const earlierSeq = state.ops.get(ctx.op)
    if (earlierSeq !== undefined) return { lastAttempt, state, appended: { seq: earlierSeq, state, page: undefined } }
    if (isStillValid(lastAttempt.plan, pulled)) continue
    lastAttempt = await planAttempt(state, attempts++)
    view = state.seq
    text = undefined
  }
  return { lastAttempt, state, appended: undefined }
}

interface PullResult {
  state: State
  newEntries: readonly LoadedEntry[]
  isComplete: boolean
}

/** @param isPageEnough skips reading the next page, which rarely exists yet */
async function pullEntries(
  store: Store,
  state: State,
  page: LogPage | undefined,
  isPageEnough: boolean,
): Promise<PullResult> {
  const isLast = page !== undefined && (isPageEnough || page.entries.length < ENTRIES_PER_PAGE)
  const pages = isLast ? [page] : await readPagesFrom(state.sheetId, getPageNumber(state.seq))
  const newEntries = await loadNewEntries(store, state, pages)
  const newest = cacheState(store, await foldEntries(store, state, newEntries))
  return { state: newest, newEntries, isComplete: newest.seq === state.seq + newEntries.length }
}

function isStillValid({ mode, readSets, stillFits }: Plan, { state, newEntries, isComplete }: PullResult): boolean {
  if (mode === 'exact' || stillFits?.(state) === false) return false
  if (mode === 'free') return true
  return (
    isComplete &&
    (newEntries.every(({ entry }) => !entry.g) || (readSets !== undefined && isUntouched(readSets, newEntries)))
  )
}

async function waitWithJitter(attempt: number): Promise<void> {
  if (attempt > 0) await sleep(Math.random() * Math.min(200, 5 * 2 ** attempt))
}

const isGuarding = ({ mode }: Plan): boolean => mode === 'guarded' || mode === 'exact'

const resolveTime = ({ at }: WriteContext): Date => (typeof at === 'function' ? at() : new Date(at))

async function serializeEntry(
  store: Store,
  sheetId: string,
  ctx: WriteContext,
  plan: Plan,
  view: number,
): Promise<string> {
  const entry: Entry = {
    f: FORMAT_VERSION,
    o: ctx.op,
    t: resolveTime(ctx).getTime(),
    w: ctx.actorId,
    k: plan.kind,
    v: view,
    ...(plan.isInternal ? { x: 1 } : {}),
    ...(isGuarding(plan) ? { g: 1 } : {}),
    ...(ctx.silent ? { s: 1 } : {}),
    ...(plan.unwritten ? { n: plan.unwritten } : {}),
    ...(ctx.event && !plan.isInternal ? { e: await encodeEvent(store, sheetId, ctx.event) } : {}),
  }
  const text = JSON.stringify({ ...entry, b: plan.body })
  if (Buffer.byteLength(text) <= store.inlineEntryBytes) return text
  return JSON.stringify({ ...entry, r: await storeBody(store, sheetId, plan.body) })
}

/** Larger contexts are stored separately, since every append is charged for its whole page. */
const INLINE_EVENT_BYTES = 64
const MAX_CACHED_CONTEXTS = 10_000

async function encodeEvent(store: Store, sheetId: string, event: object): Promise<object | string> {
  const text = JSON.stringify(event)
  return text.length <= INLINE_EVENT_BYTES ? event : storeContext(sheetId, event, store)
}

/** Stores a value next to the log, deduplicated by content; returns its id. */
export async function storeContext(sheetId: string, value: object, store: Store = processStore): Promise<string> {
  const id = createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
  const contextKey = `${sheetId} ${id}`
  if (!store.contexts.has(contextKey)) await putContext(sheetId, id, compressJson(value))
  if (store.contexts.size >= MAX_CACHED_CONTEXTS) store.contexts.clear()
  store.contexts.add(contextKey)
  return id
}

export async function loadContext(sheetId: string, id: string): Promise<unknown> {
  const bytes = (await getContexts(sheetId, [id])).get(id)
  if (!bytes) throw new Error(`Sheet ${sheetId} has no stored context ${id}`)
  return decompressJson(bytes)
}

/** A new id each time: a retried operation must not overwrite a body that another entry refers to. */
async function storeBody(store: Store, sheetId: string, body: Body): Promise<string | BlobForm> {
  const bytes = compressJson(body)
  if (bytes.length > ITEM_BODY_BYTES)
    return encodeBlobRef(await putBlob(store, sheetId, [{ name: 'body', packed: packRaw(bytes) }]))
  const id = ulid()
  await putBody(sheetId, id, bytes)
  return id
}

function tryAppend(state: State, ctx: WriteContext, plan: Plan, entry: string): Promise<PageAppendResult> {
  const condition: AppendCondition =
    plan.mode === 'exact'
      ? { kind: 'exact', entries: state.seq % ENTRIES_PER_PAGE }
      : plan.mode === 'free'
        ? { kind: 'room', limit: ENTRIES_PER_PAGE }
        : { kind: 'guard', limit: ENTRIES_PER_PAGE, guarded: state.guarded }
  return appendEntry({
    sheetId: state.sheetId,
    page: getPageNumber(state.seq),
    entry,
    condition,
    guards: isGuarding(plan),
    pendingSince: plan.isInternal ? undefined : resolveTime(ctx).toISOString(),
  })
}

async function finishAppend(store: Store, before: State, op: string, page: LogPage): Promise<AppendResult> {
  const state = cacheState(store, await foldPages(store, before, [page]))
  if (page.entries.length === ENTRIES_PER_PAGE && page.page % MANIFEST_PAGES === MANIFEST_PAGES - 1)
    await storeManifest(store, page.page, await stateAt(store, state.sheetId, (page.page + 1) * ENTRIES_PER_PAGE))
  return { seq: state.ops.get(op)!, state, page }
}
