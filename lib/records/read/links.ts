/** Loads the records linked from a page: one hash lookup for the page, each record rendered once. */
import { message } from '../../../schemas/messages/index.ts'
import { tooLarge } from '../../core/errors.ts'
import { type Hashes, hashInto, sortHashes } from '../columns/hash.ts'
import { intersectSorted } from '../columns/hash-intersection.ts'
import { getOrInsert } from '../columns/maps.ts'
import { loadHashLists } from '../constraints/hash-index.ts'
import { buildReferrerKey, buildTargetKey, findTargetSheet } from '../constraints/references.ts'
import { loadValidatedState } from '../constraints/validated-state.ts'
import { isReferenceType, type ReferenceRule, rulesOf } from '../fields/rules.ts'
import type { Store } from '../log/store.ts'
import { getCellTexts, openAll } from '../segments/open.ts'
import type { ListQuery, SheetRef } from '../sheet.ts'
import type { Segment, State } from '../state/state.ts'
import { createRenderer, type LinkTexts } from './render.ts'

const MAX_LINKS_PER_VALUE = 10
const MAX_LINK_BYTES_PER_PAGE = 128 * 1024 * 1024

type PageParts = readonly { segment: Segment; rows: readonly number[] }[]

const LINKS_PREFIX = ',"links":['
const NO_LINKS = Buffer.from(`${LINKS_PREFIX}]`)

/** Full records with messages, without further links. @throws ApiError too-large above 128 MB per page */
export async function loadLinks(
  store: Store,
  sheet: SheetRef,
  parts: PageParts,
  { fields, includeLinks }: Pick<ListQuery, 'fields' | 'includeLinks'> = {},
): Promise<LinkTexts> {
  const rules = rulesOf(sheet)
  const requestedRules = rules.references.filter(({ field }) => !fields || fields.includes(field))
  const referencedSheets = await loadReferencedSheets(store, sheet, requestedRules)
  const cells = new Map<string, Map<Segment, Map<number, Buffer>>>()
  for (const { ref, state, rules: sheetRules } of referencedSheets) {
    const found = await Promise.all(sheetRules.map((rule) => findLinks(store, rule, state, parts)))
    const texts = await renderRecords(store, ref, found)
    for (const links of found) cells.set(links.rule.field, renderLinkMembers(links, texts))
  }
  checkSize(cells)
  const referenceFields = new Set(rules.fields.filter(({ type }) => isReferenceType(type)).map(({ key }) => key))
  return (field, segment) => {
    if (!referenceFields.has(field)) return undefined
    const linksByRow = cells.get(field)?.get(segment)
    return (row) => {
      const links = linksByRow?.get(row) ?? NO_LINKS
      return includeLinks === 'found' && links.equals(NO_LINKS) ? undefined : links
    }
  }
}

interface ReferencedSheet {
  ref: SheetRef
  state: State
  rules: ReferenceRule[]
}

async function loadReferencedSheets(
  store: Store,
  sheet: SheetRef,
  rules: readonly ReferenceRule[],
): Promise<ReferencedSheet[]> {
  const found = new Map<string, { ref: SheetRef; rules: ReferenceRule[] }>()
  for (const rule of rules) {
    const ref = await findTargetSheet(sheet, rule)
    if (ref) getOrInsert(found, ref.sheetId, () => ({ ref, rules: [] as ReferenceRule[] })).rules.push(rule)
  }
  return Promise.all(
    [...found.values()].map(async ({ ref, rules }) => ({ ref, rules, state: await loadValidatedState(store, ref) })),
  )
}

interface LinkedRow {
  segment: Segment
  row: number
}

interface FieldLinks {
  rule: ReferenceRule
  cells: Map<Segment, Map<number, readonly string[]>>
  byText: Map<string, LinkedRow[]>
}

async function findLinks(store: Store, rule: ReferenceRule, targetState: State, parts: PageParts): Promise<FieldLinks> {
  const cells = await readLookupTexts(store, rule, parts)
  const texts = [...new Set([...cells.values()].flatMap((rows) => [...rows.values()].flat()))]
  const byText = new Map<string, LinkedRow[]>()
  const needles = hashTextList(texts)
  const lists = texts.length ? await loadHashLists(store, targetState.segments, buildTargetKey(rule)) : []
  for (const [i, list] of lists.entries())
    intersectSorted(needles, list, (from, _, first, last) => {
      const records = getOrInsert(byText, texts[needles.at[from]!]!, (): LinkedRow[] => [])
      const remaining = MAX_LINKS_PER_VALUE - records.length
      if (!remaining) return
      for (const row of list.at.slice(first, last).sort().subarray(0, remaining))
        records.push({ segment: targetState.segments[i]!, row })
    })
  return { rule, cells, byText }
}

function hashTextList(texts: readonly string[]): Hashes {
  const { length } = texts
  const list = { hi: new Uint32Array(length), lo: new Uint32Array(length), at: Uint32Array.from(texts.keys()) }
  texts.forEach((text, i) => {
    hashInto(text, list.hi, list.lo, i)
  })
  return sortHashes(list)
}

async function readLookupTexts(store: Store, rule: ReferenceRule, parts: PageParts): Promise<FieldLinks['cells']> {
  const rowsBySegment = new Map<Segment, number[]>()
  for (const { segment, rows } of parts) {
    const list = getOrInsert(rowsBySegment, segment, (): number[] => [])
    for (const row of rows) list.push(row)
  }
  const { columns, texts } = buildReferrerKey(rule)
  const cells: FieldLinks['cells'] = new Map()
  for await (const open of openAll(store, [...rowsBySegment.keys()], columns)) {
    const rows = rowsBySegment.get(open.segment)!.sort((a, b) => a - b)
    const values = columns.map((column) => getCellTexts(open, column, rows))
    const getRowTexts = (i: number): readonly string[] => [
      ...new Set(texts(values.map((cell) => JSON.parse(cell[i]!)))),
    ]
    cells.set(open.segment, new Map(rows.map((row, i) => [row, getRowTexts(i)])))
  }
  return cells
}

async function renderRecords(
  store: Store,
  ref: SheetRef,
  found: readonly FieldLinks[],
): Promise<Map<Segment, Map<number, Buffer>>> {
  const linkedRows = new Map<Segment, Set<number>>()
  for (const { byText } of found)
    for (const { segment, row } of [...byText.values()].flat())
      getOrInsert(linkedRows, segment, () => new Set<number>()).add(row)
  const render = createRenderer(rulesOf(ref))
  const order: LinkedRow[] = []
  for await (const open of openAll(store, [...linkedRows.keys()], render.names)) {
    const rows = [...linkedRows.get(open.segment)!].sort((a, b) => a - b)
    render.add(open, rows)
    for (const row of rows) order.push({ segment: open.segment, row })
  }
  const texts = new Map<Segment, Map<number, Buffer>>()
  for (const [i, text] of render.records().entries())
    getOrInsert(texts, order[i]!.segment, () => new Map<number, Buffer>()).set(order[i]!.row, text)
  return texts
}

function renderLinkMembers(
  { rule, cells, byText }: FieldLinks,
  texts: ReadonlyMap<Segment, ReadonlyMap<number, Buffer>>,
): Map<Segment, Map<number, Buffer>> {
  const membersByTexts = new Map<string, Buffer>()
  const renderMember = (lookupTexts: readonly string[]): Buffer => {
    const records = lookupTexts.flatMap((text) => byText.get(text) ?? []).slice(0, rule.hasOne ? 1 : undefined)
    const parts = [...new Set(records.map(({ segment, row }) => texts.get(segment)!.get(row)!))]
    if (!parts.length) return NO_LINKS
    return Buffer.from(`${LINKS_PREFIX}${parts.join(',')}]`)
  }
  return new Map(
    [...cells].map(([segment, rows]) => [
      segment,
      new Map(
        [...rows].map(([row, lookupTexts]) => [
          row,
          getOrInsert(membersByTexts, JSON.stringify(lookupTexts), () => renderMember(lookupTexts)),
        ]),
      ),
    ]),
  )
}

function checkSize(cells: ReadonlyMap<string, ReadonlyMap<Segment, ReadonlyMap<number, Buffer>>>): void {
  let bytes = 0
  for (const segments of cells.values())
    for (const rows of segments.values()) for (const text of rows.values()) bytes += text.length
  if (bytes > MAX_LINK_BYTES_PER_PAGE)
    throw tooLarge(message('records.linksTooLarge', { count: MAX_LINK_BYTES_PER_PAGE }))
}
