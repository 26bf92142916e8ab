/**
 * Linked records: for the reference cells of a page, the records of the other sheet that have the cell's value. Values are
 * looked up by hash for the whole page at once, and each record found is rendered once, however often it is linked.
 */
import { tooLarge } from '../../core/errors.ts'
import { type Hashes, hashInto, sortHashes } from '../bytes/hash.ts'
import { getOrMake } from '../bytes/maps.ts'
import type { Segment, State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { cellsAt, openAll } from '../read/reader.ts'
import { type LinkTexts, renderer } from '../read/render.ts'
import type { ListQuery, SheetRef } from '../sheet.ts'
import { hashLists } from './lookup.ts'
import { meetHashes } from './meet.ts'
import { ownKey, targetKey, targetSheet } from './references.ts'
import { isReferenceType, type ReferenceRule, rulesOf } from './rules.ts'
import { validated } from './validate.ts'

/** Linked records of one value at most, the first ones; of a cell with a list, of each value of it. */
const LINKS_PER_VALUE = 10
/** Bytes of linked records in one page at most. */
const LINK_BYTES = 128 * 1024 * 1024

/** Rows of a page. */
type PageParts = readonly { segment: Segment; rows: readonly number[] }[]

const MEMBER = ',"links":['
const NO_LINKS = Buffer.from(`${MEMBER}]`)

/**
 * The links of a page's reference cells: full records of the other sheet with messages, without links of their own.
 * @param query.fields only these fields' cells
 * @throws ApiError too-large when the page's links are more than 128 MB
 */
export async function linksFor(
  store: Store,
  sheet: SheetRef,
  parts: PageParts,
  { fields, includeLinks }: Pick<ListQuery, 'fields' | 'includeLinks'> = {},
): Promise<LinkTexts> {
  const rules = rulesOf(sheet)
  const wanted = rules.references.filter(({ field }) => !fields || fields.includes(field))
  const others = await otherSheets(store, sheet, wanted)
  const cells = new Map<string, Map<Segment, Map<number, Buffer>>>()
  for (const { ref, state, rules: of } of others) {
    const found = await Promise.all(of.map((rule) => findLinks(store, rule, state, parts)))
    const texts = await recordTexts(store, ref, found)
    for (const links of found) cells.set(links.rule.field, memberTexts(links, texts))
  }
  checkSize(cells)
  const isReference = new Set(rules.fields.filter(({ type }) => isReferenceType(type)).map(({ key }) => key))
  return (field, segment) => {
    if (!isReference.has(field)) return undefined
    const ofRows = cells.get(field)?.get(segment)
    return (row) => {
      const links = ofRows?.get(row) ?? NO_LINKS
      return includeLinks === 'found' && links.equals(NO_LINKS) ? undefined : links
    }
  }
}

interface OtherSheet {
  ref: SheetRef
  state: State
  rules: ReferenceRule[]
}

async function otherSheets(store: Store, sheet: SheetRef, rules: readonly ReferenceRule[]): Promise<OtherSheet[]> {
  const found = new Map<string, { ref: SheetRef; rules: ReferenceRule[] }>()
  for (const rule of rules) {
    const ref = await targetSheet(sheet, rule)
    if (ref) getOrMake(found, ref.sheetId, () => ({ ref, rules: [] as ReferenceRule[] })).rules.push(rule)
  }
  return Promise.all(
    [...found.values()].map(async ({ ref, rules }) => ({ ref, rules, state: await validated(store, ref) })),
  )
}

/** A record of the other sheet. */
interface Linked {
  segment: Segment
  row: number
}

/** What was found of one field's cells. */
interface FieldLinks {
  rule: ReferenceRule
  /** The texts a cell is looked up by, each once. */
  cells: Map<Segment, Map<number, readonly string[]>>
  /** Records by text, in the order of the other sheet. */
  byText: Map<string, Linked[]>
}

async function findLinks(store: Store, rule: ReferenceRule, other: State, parts: PageParts): Promise<FieldLinks> {
  const cells = await cellTexts(store, rule, parts)
  const texts = [...new Set([...cells.values()].flatMap((rows) => [...rows.values()].flat()))]
  const byText = new Map<string, Linked[]>()
  const needles = hashed(texts)
  const lists = texts.length ? await hashLists(store, other.segments, targetKey(rule)) : []
  for (const [i, list] of lists.entries())
    meetHashes(needles, list, (from, _, first, last) => {
      const records = getOrMake(byText, texts[needles.at[from]!]!, (): Linked[] => [])
      const room = LINKS_PER_VALUE - records.length
      if (!room) return
      for (const row of list.at.slice(first, last).sort().subarray(0, room))
        records.push({ segment: other.segments[i]!, row })
    })
  return { rule, cells, byText }
}

function hashed(texts: readonly string[]): Hashes {
  const { length } = texts
  const list = { hi: new Uint32Array(length), lo: new Uint32Array(length), at: Uint32Array.from(texts.keys()) }
  texts.forEach((text, i) => {
    hashInto(text, list.hi, list.lo, i)
  })
  return sortHashes(list)
}

async function cellTexts(store: Store, rule: ReferenceRule, parts: PageParts): Promise<FieldLinks['cells']> {
  const rowsOf = new Map<Segment, number[]>()
  for (const { segment, rows } of parts) {
    const list = getOrMake(rowsOf, segment, (): number[] => [])
    for (const row of rows) list.push(row)
  }
  const { columns, texts } = ownKey(rule)
  const cells: FieldLinks['cells'] = new Map()
  for await (const open of openAll(store, [...rowsOf.keys()], columns)) {
    const rows = rowsOf.get(open.segment)!.sort((a, b) => a - b)
    const values = columns.map((column) => cellsAt(open, column, rows))
    const ofRow = (i: number): readonly string[] => [...new Set(texts(values.map((cell) => JSON.parse(cell[i]!))))]
    cells.set(open.segment, new Map(rows.map((row, i) => [row, ofRow(i)])))
  }
  return cells
}

/** All linked records as JSON. */
async function recordTexts(
  store: Store,
  ref: SheetRef,
  found: readonly FieldLinks[],
): Promise<Map<Segment, Map<number, Buffer>>> {
  const wanted = new Map<Segment, Set<number>>()
  for (const { byText } of found)
    for (const { segment, row } of [...byText.values()].flat())
      getOrMake(wanted, segment, () => new Set<number>()).add(row)
  const render = renderer(rulesOf(ref))
  const order: Linked[] = []
  for await (const open of openAll(store, [...wanted.keys()], render.names)) {
    const rows = [...wanted.get(open.segment)!].sort((a, b) => a - b)
    render.add(open, rows)
    for (const row of rows) order.push({ segment: open.segment, row })
  }
  const texts = new Map<Segment, Map<number, Buffer>>()
  for (const [i, text] of render.records().entries())
    getOrMake(texts, order[i]!.segment, () => new Map<number, Buffer>()).set(order[i]!.row, text)
  return texts
}

/** The `links` members of a field's cells; cells of equal values share one. */
function memberTexts(
  { rule, cells, byText }: FieldLinks,
  texts: ReadonlyMap<Segment, ReadonlyMap<number, Buffer>>,
): Map<Segment, Map<number, Buffer>> {
  const made = new Map<string, Buffer>()
  const member = (looked: readonly string[]): Buffer => {
    const records = looked.flatMap((text) => byText.get(text) ?? []).slice(0, rule.hasOne ? 1 : undefined)
    const parts = [...new Set(records.map(({ segment, row }) => texts.get(segment)!.get(row)!))]
    if (!parts.length) return NO_LINKS
    return Buffer.from(`${MEMBER}${parts.join(',')}]`)
  }
  return new Map(
    [...cells].map(([segment, rows]) => [
      segment,
      new Map([...rows].map(([row, looked]) => [row, getOrMake(made, JSON.stringify(looked), () => member(looked))])),
    ]),
  )
}

function checkSize(cells: ReadonlyMap<string, ReadonlyMap<Segment, ReadonlyMap<number, Buffer>>>): void {
  let bytes = 0
  for (const segments of cells.values())
    for (const rows of segments.values()) for (const text of rows.values()) bytes += text.length
  if (bytes > LINK_BYTES)
    throw tooLarge(`The linked records of a page can have at most ${LINK_BYTES} bytes: ask for a smaller page.`)
}
