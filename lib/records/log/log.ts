/**
 * A sheet's log as the engine uses it: bring a state up to date, and append an entry. One conditional update is commit and
 * synchronisation at once; nothing is ever overwritten, so nothing is lost.
 *
 * An append is free (values of cells: entries commute), guarded (it says which values are duplicates: no other entry that
 * bears on uniqueness may have come in between) or exact (it rewrites or deletes: no entry at all may have).
 */
import { createHash } from 'node:crypto'
import { ulid } from 'ulid'
import { packJson, unpackJson } from '../../core/packed.ts'
import {
  type AppendAnswer,
  type AppendCondition,
  appendEntry,
  getBodies,
  getContexts,
  type LogPage,
  pageAt,
  pagesBack,
  pagesFrom,
  putBody,
  putContext,
  putManifest,
} from '../../table/log.ts'
import { packRaw } from '../bytes/chunk.ts'
import type { WriteContext } from '../sheet.ts'
import { blobOf } from './applied.ts'
import {
  type BlobForm,
  type Body,
  type Entry,
  type EntryKind,
  FORM,
  isWholeReset,
  type LoadedEntry,
  parseEntry,
} from './entries.ts'
import { fold, foldReset, PAGE_ENTRIES } from './fold.ts'
import { isUntouched, type Watch } from './guard.ts'
import { packManifest, unpackManifest } from './manifest.ts'
import { type BlobRef, emptyState, type State } from './state.ts'
import { getChunks, processStore, putBlob, recallVersion, rememberState, rememberVersion, type Store } from './store.ts'

/** A manifest after every 8th page. */
const MANIFEST_PAGES = 8
/** A body or manifest above this is a blob: an item takes 400 KB. */
const ITEM_BODY_BYTES = 300_000

const pageOfSeq = (seq: number): number => Math.floor(seq / PAGE_ENTRIES)

/** The sheet's state as of now: one item is read when the process knows the sheet. */
export async function sync(store: Store, sheetId: string): Promise<State> {
  const known = store.states.get(sheetId)
  if (!known) return rememberState(store, await load(store, sheetId))
  return rememberState(store, await foldPages(store, known, await newPages(known)))
}

/** A query finds all there are, and costs more than reading these. */
const PAGES_ONE_BY_ONE = 2

/** The page a state ends on, and those after it: most times there is none, or one, and an item is read by its key. */
async function newPages({ sheetId, seq }: State): Promise<LogPage[]> {
  const pages: LogPage[] = []
  for (let at = pageOfSeq(seq); pages.length < PAGES_ONE_BY_ONE; at++) {
    const page = await pageAt(sheetId, at)
    if (page) pages.push(page)
    if (page === undefined || page.entries.length < PAGE_ENTRIES) return pages
  }
  return [...pages, ...(await pagesFrom(sheetId, pageOfSeq(seq) + pages.length))]
}

/** The state after the first `seq` entries; it never changes, so those last asked for are kept. */
export async function stateAt(store: Store, sheetId: string, seq: number): Promise<State> {
  return recallVersion(store, sheetId, seq) ?? rememberVersion(store, await load(store, sheetId, seq))
}

async function load(store: Store, sheetId: string, until?: number): Promise<State> {
  const { pages, base } = await newestPages(store, sheetId, until)
  const state = await foldPages(store, base ?? emptyState(sheetId), pages, until)
  // A manifest its writer did not live to store, or that is long due: whoever had to fold this much stores it.
  if (until === undefined && pages.length > 2 * MANIFEST_PAGES) await repairManifest(store, sheetId, state.seq)
  return state
}

/** Reads backwards until a manifest that is not past `until`, or the log's begin. */
async function newestPages(
  store: Store,
  sheetId: string,
  until: number | undefined,
): Promise<{ pages: LogPage[]; base: State | undefined }> {
  const pages: LogPage[] = []
  let toPage = until === undefined ? undefined : pageOfSeq(until)
  for (;;) {
    const items = await pagesBack(sheetId, toPage, MANIFEST_PAGES + 2)
    pages.unshift(...items.pages)
    if (items.manifest) {
      const from = items.manifest.page + 1
      const bytes = items.manifest.bytes ?? (await referenced(store, items.manifest.reference!))
      return { pages: pages.filter(({ page }) => page >= from), base: unpackManifest(sheetId, bytes) }
    }
    const first = items.pages[0]?.page ?? 0
    if (first === 0) return { pages, base: undefined }
    toPage = first - 1
  }
}

async function repairManifest(store: Store, sheetId: string, seq: number): Promise<void> {
  const page = Math.floor(pageOfSeq(seq) / MANIFEST_PAGES) * MANIFEST_PAGES - 1
  if (page >= 0) await storeManifest(store, page, await load(store, sheetId, (page + 1) * PAGE_ENTRIES))
}

async function storeManifest(store: Store, page: number, state: State): Promise<void> {
  const bytes = packManifest(state)
  if (bytes.length <= ITEM_BODY_BYTES) return putManifest(state.sheetId, { page, bytes })
  const blob = await putBlob(store, state.sheetId, [{ name: 'manifest', packed: packRaw(bytes) }])
  await putManifest(state.sheetId, { page, reference: JSON.stringify(formOf(blob)) })
}

const formOf = (blob: BlobRef): BlobForm => [blob.id, blob.tier, 0, [...blob.lengths]]

async function referenced(store: Store, reference: string): Promise<Buffer> {
  const blob = blobOf([['manifest']], JSON.parse(reference) as BlobForm)
  const [bytes] = await getChunks(store, [{ blob, index: 0 }])
  return bytes!
}

/** Folds the entries of pages that come after the state; ones it has already are skipped. */
async function foldPages(
  store: Store,
  state: State,
  pages: readonly LogPage[],
  until = Number.POSITIVE_INFINITY,
): Promise<State> {
  return foldLoaded(store, state, await newsIn(store, state, pages, until))
}

/** The entries of pages that come after the state. */
function newsIn(
  store: Store,
  state: State,
  pages: readonly LogPage[],
  until = Number.POSITIVE_INFINITY,
): Promise<LoadedEntry[]> {
  const entries = pages.flatMap(({ page, entries: texts }) =>
    texts.map((text, i) => ({ seq: page * PAGE_ENTRIES + i, text })),
  )
  const news = entries.filter(({ seq }) => seq >= state.seq && seq < until)
  return loadEntries(store, state.sheetId, news)
}

async function foldLoaded(store: Store, state: State, loaded: readonly LoadedEntry[]): Promise<State> {
  let folded = state
  for (let from = 0; from < loaded.length; ) {
    const reset = loaded.findIndex(({ body }, i) => i >= from && isWholeReset(body))
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

/** Parses entries and fetches the bodies stored beside them. */
export async function loadEntries(
  store: Store,
  sheetId: string,
  texts: readonly { seq: number; text: string }[],
): Promise<LoadedEntry[]> {
  const entries = texts.map(({ seq, text }) => ({ seq, entry: parseEntry(text) }))
  const ids = entries.flatMap(({ entry }) => (typeof entry.r === 'string' ? [entry.r] : []))
  const bodies = ids.length ? await getBodies(sheetId, ids) : new Map<string, Uint8Array>()
  return Promise.all(
    entries.map(async ({ seq, entry }) => {
      if (entry.b) return { seq, entry, body: entry.b }
      const bytes = typeof entry.r === 'string' ? bodies.get(entry.r)! : await bodyBlob(store, entry.r!)
      return { seq, entry, body: unpackJson(bytes) as Body }
    }),
  )
}

async function bodyBlob(store: Store, form: BlobForm): Promise<Buffer> {
  const [bytes] = await getChunks(store, [{ blob: blobOf([['body']], form), index: 0 }])
  return bytes!
}

/** What a write wants to append, given the state it will follow. */
export interface Plan {
  kind: EntryKind
  body: Body
  /** `checked`: no guarded entry may come in between, but it is none itself. */
  mode: 'free' | 'checked' | 'guarded' | 'exact'
  /** Asked before it is appended to a newer state than it was made for; without it the mode alone decides. */
  fits?: (state: State) => boolean
  /** No value changes: no commit for users. */
  quiet?: boolean
  /** Of a guarded plan: all it rests on. Without it, any guarded entry that comes in between has it made anew. */
  watches?: readonly Watch[]
}

export interface Appended {
  /** The seq under which the operation counts: an earlier one when it had been appended before. */
  seq: number
  state: State
  /** The log page of the append, its new entry last; undefined when nothing was appended now. */
  page: LogPage | undefined
}

/**
 * Appends what `plan` makes of the newest state it is given; plans again when the log moved on in a way that matters.
 * @returns undefined when there is nothing to append
 */
export async function append(
  store: Store,
  start: State,
  ctx: WriteContext,
  plan: (state: State) => Promise<Plan | undefined>,
): Promise<Appended | undefined> {
  let state = start
  let planned = await plan(state)
  let view = state.seq
  let text: string | undefined
  for (let attempt = 0; planned; attempt++) {
    text ??= await entryText(store, state.sheetId, ctx, planned, view)
    const { isAppended, page } = await tryAppend(state, ctx, planned, text)
    if (isAppended) return appended(store, state, ctx.op, page!)
    await jitter(attempt)
    const pulled = await pull(store, state, page, attempt === 0)
    state = pulled.state
    const earlier = state.ops.get(ctx.op)
    if (earlier !== undefined) return { seq: earlier, state, page: undefined }
    if (stillHolds(planned, pulled)) continue
    planned = await plan(state)
    view = state.seq
    text = undefined
  }
  return undefined
}

/** A state brought up to date, and the entries that were new to it. */
interface Pulled {
  state: State
  news: readonly LoadedEntry[]
  /** Nothing is missing among the news. */
  isAll: boolean
}

/**
 * @param page the one the state ends on, if it is at hand: unless it is full, there is none after it
 * @param isEnough what is on this page is enough: most times the next is still to be begun, and an append to it tells
 */
async function pull(store: Store, state: State, page: LogPage | undefined, isEnough: boolean): Promise<Pulled> {
  const isLast = page !== undefined && (isEnough || page.entries.length < PAGE_ENTRIES)
  const pages = isLast ? [page] : await pagesFrom(state.sheetId, pageOfSeq(state.seq))
  const news = await newsIn(store, state, pages)
  const newest = rememberState(store, await foldLoaded(store, state, news))
  return { state: newest, news, isAll: newest.seq === state.seq + news.length }
}

/** May the entry be appended as it is, after what came in between? */
function stillHolds({ mode, watches, fits }: Plan, { state, news, isAll }: Pulled): boolean {
  if (mode === 'exact' || fits?.(state) === false) return false
  if (mode === 'free') return true
  return isAll && (news.every(({ entry }) => !entry.g) || (watches !== undefined && isUntouched(watches, news)))
}

/** Two writers that keep meeting part ways; the first retry, mostly a full page, does not wait. */
async function jitter(attempt: number): Promise<void> {
  if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(200, 5 * 2 ** attempt)))
}

const timeOf = ({ at }: WriteContext): Date => (typeof at === 'function' ? at() : new Date(at))

async function entryText(store: Store, sheetId: string, ctx: WriteContext, plan: Plan, view: number): Promise<string> {
  const entry: Entry = {
    f: FORM,
    o: ctx.op,
    t: timeOf(ctx).getTime(),
    w: ctx.actorId,
    k: plan.kind,
    v: view,
    ...(plan.quiet ? { x: 1 } : {}),
    ...(plan.mode === 'guarded' || plan.mode === 'exact' ? { g: 1 } : {}),
    ...(ctx.silent ? { s: 1 } : {}),
    ...(ctx.event && !plan.quiet ? { e: await eventForm(store, sheetId, ctx.event) } : {}),
  }
  const text = JSON.stringify({ ...entry, b: plan.body })
  if (Buffer.byteLength(text) <= store.inlineEntryBytes) return text
  return JSON.stringify({ ...entry, r: await putBodyBeside(store, sheetId, plan.body) })
}

/** Larger ones are stored once and named: an entry is charged again with every later append to its page. */
const INLINE_EVENT_BYTES = 64
const CONTEXTS_KNOWN = 10_000

async function eventForm(store: Store, sheetId: string, event: object): Promise<object | string> {
  const text = JSON.stringify(event)
  return text.length <= INLINE_EVENT_BYTES ? event : keep(sheetId, event, store)
}

/** Keeps a value beside a sheet's log, once however often it is given; answers the id it is found by. */
export async function keep(sheetId: string, value: object, store: Store = processStore): Promise<string> {
  const id = createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
  const known = `${sheetId} ${id}`
  if (!store.contexts.has(known)) await putContext(sheetId, id, packJson(value))
  if (store.contexts.size >= CONTEXTS_KNOWN) store.contexts.clear()
  store.contexts.add(known)
  return id
}

/** A kept value. @throws when the sheet has none of this id */
export async function kept(sheetId: string, id: string): Promise<unknown> {
  const bytes = (await getContexts(sheetId, [id])).get(id)
  if (!bytes) throw new Error(`Sheet ${sheetId} keeps nothing under ${id}`)
  return unpackJson(bytes)
}

/** A name of its own each time: a retried operation must not overwrite a body another entry points to. */
async function putBodyBeside(store: Store, sheetId: string, body: Body): Promise<string | BlobForm> {
  const bytes = packJson(body)
  if (bytes.length > ITEM_BODY_BYTES)
    return formOf(await putBlob(store, sheetId, [{ name: 'body', packed: packRaw(bytes) }]))
  const id = ulid()
  await putBody(sheetId, id, bytes)
  return id
}

function tryAppend(state: State, ctx: WriteContext, plan: Plan, entry: string): Promise<AppendAnswer> {
  const condition: AppendCondition =
    plan.mode === 'exact'
      ? { kind: 'exact', entries: state.seq % PAGE_ENTRIES }
      : plan.mode === 'free'
        ? { kind: 'room', limit: PAGE_ENTRIES }
        : { kind: 'guard', limit: PAGE_ENTRIES, guarded: state.guarded }
  return appendEntry({
    sheetId: state.sheetId,
    page: pageOfSeq(state.seq),
    entry,
    condition,
    guards: parseEntry(entry).g === 1,
    pendingSince: plan.quiet ? undefined : timeOf(ctx).toISOString(),
  })
}

async function appended(store: Store, before: State, op: string, page: LogPage): Promise<Appended> {
  const state = rememberState(store, await foldPages(store, before, [page]))
  if (page.entries.length === PAGE_ENTRIES && page.page % MANIFEST_PAGES === MANIFEST_PAGES - 1)
    await storeManifest(store, page.page, await stateAt(store, state.sheetId, (page.page + 1) * PAGE_ENTRIES))
  return { seq: state.ops.get(op)!, state, page }
}
