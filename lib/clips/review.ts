/** Looking through a clip's differences and deciding on them. */
import type * as z from 'zod'
import * as clips from '../../schemas/clips.ts'
import { sheetRef } from '../commits/sheet-ref.ts'
import { ApiError, invalid, tooLarge } from '../core/errors.ts'
import { Clips, clipContext, type StoredClip } from '../entities/clips.ts'
import * as engine from '../records/index.ts'
import type { Tx } from '../tx.ts'
import {
  type Choice,
  countOf,
  type Decision,
  type Decisions,
  type Item,
  itemsOf,
  keepDecisions,
  keptDecisions,
  shownResolve,
  stillHolding,
  WHOLE,
} from './resolutions.ts'
import type { ClipSheets } from './sheets.ts'

/** A difference with what will be done about it. */
export interface Reviewed {
  difference: engine.Difference
  items: Item[]
}

export const isConflict = ({ items }: Reviewed): boolean => items.some(({ to }) => to === undefined)

const refsOf = ({ source, copy }: ClipSheets) => ({ source: sheetRef(source), copy: sheetRef(copy) })

/** Every difference, in the order of the clip. */
export async function reviewed(sheets: ClipSheets): Promise<Reviewed[]> {
  const [differences, decisions] = await Promise.all([
    engine.copyDifferences(refsOf(sheets)),
    keptDecisions(sheets.clip),
  ])
  return differences.map((difference) => ({ difference, items: itemsOf(difference, decisions) }))
}

/** Those a query asks for. */
export const filtered = (
  all: readonly Reviewed[],
  { filterColumn, filterConflicts }: { filterColumn?: string | undefined; filterConflicts?: boolean | undefined },
): Reviewed[] =>
  all.filter(
    (one) =>
      (!filterConflicts || isConflict(one)) && (filterColumn === undefined || one.difference.cells.has(filterColumn)),
  )

/** With the values of all three versions. */
export async function withValues(sheets: ClipSheets, some: readonly Reviewed[]) {
  const records = await engine.threeVersions(
    refsOf(sheets),
    some.map(({ difference }) => difference),
  )
  const items = new Map(some.map((one) => [one.difference.id, one.items]))
  return records.map((record) => ({ ...record, resolves: items.get(record.id)!.map(shownResolve) }))
}

export function summaryOf(all: readonly Reviewed[]) {
  const byField: { [field: string]: number } = {}
  const kinds = { changed: 0, added: 0, removed: 0 }
  let conflicts = 0
  for (const { difference, items } of all) {
    kinds[difference.kind]++
    for (const { to } of items) if (to === undefined) conflicts++
    for (const field of difference.cells.keys()) byField[field] = (byField[field] ?? 0) + 1
  }
  return { total: all.length, ...kinds, conflicts, byField }
}

type Wanted = z.output<typeof clips.resolve.body>['resolvedRecords']

/** A decision to be kept, and the one it takes the place of. */
interface Made {
  recordId: string
  field: string
  decision: Decision
  before: Decision | undefined
}

/**
 * Keeps decisions and tells of them; what was decided so before is not told of again.
 * @throws ApiError invalid naming all that cannot be decided so, conflict where values have changed since they were read
 */
export async function decide(tx: Tx, sheets: ClipSheets, wanted: Wanted): Promise<void> {
  const { clip } = sheets
  const [all, decisions] = await Promise.all([reviewed(sheets), keptDecisions(clip)])
  const made = decisionsFrom(all, wanted, { by: tx.actor.actorId, at: tx.now }).map((one) => ({
    ...one,
    before: decisions[one.recordId]?.[one.field],
  }))
  const news = made.filter(({ decision, before }) => before?.to !== decision.to || before.of !== decision.of)
  if (news.length === 0) return
  const next = { ...decisions }
  for (const { recordId, field, decision } of news) next[recordId] = { ...next[recordId], [field]: decision }
  await replaceDecisions(tx, clip, next)
  tell(tx, clip, news)
}

const conflictId = ({ recordId, field }: Made): string => (field === WHOLE ? recordId : `${recordId}.${field}`)

function tell(tx: Tx, clip: StoredClip, news: readonly Made[]): void {
  const context = clipContext(clip)
  const { namespaces } = clip
  const shown = (one: Made) => ({
    conflictId: conflictId(one),
    resolution: one.decision.to,
    resolvedBy: one.decision.by,
  })
  for (const some of inParts(news.filter(({ before }) => !before)))
    tx.emit(clips.resolutionsCreated, context, { dataClipId: clip.id, resolutions: some.map(shown) }, { namespaces })
  for (const some of inParts(news.filter(({ before }) => before)))
    tx.emit(
      clips.resolutionsUpdated,
      context,
      {
        dataClipId: clip.id,
        resolutions: some.map((one) => ({ ...shown(one), updatedAt: one.decision.at })),
        changes: some.map((one) => ({
          conflictId: conflictId(one),
          previousResolution: one.before!.to,
          newResolution: one.decision.to,
        })),
      },
      { namespaces },
    )
}

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let first = 0; first < all.length; first += clips.RESOLUTIONS_PER_EVENT)
    yield all.slice(first, first + clips.RESOLUTIONS_PER_EVENT)
}

/** Forgets what no longer holds, and says that it looked. */
export async function refresh(tx: Tx, sheets: ClipSheets): Promise<void> {
  const { clip } = sheets
  const [all, decisions] = await Promise.all([reviewed(sheets), keptDecisions(clip)])
  const holding = stillHolding(
    decisions,
    all.map(({ difference }) => difference),
  )
  await replaceDecisions(tx, clip, holding)
  tx.emit(clips.resolutionsRefreshed, clipContext(clip), {}, { namespaces: clip.namespaces })
}

async function replaceDecisions(tx: Tx, clip: StoredClip, decisions: Decisions): Promise<void> {
  const count = countOf(decisions)
  if (count > clips.DECISIONS_PER_CLIP)
    throw tooLarge(
      `A clip keeps ${clips.DECISIONS_PER_CLIP} decisions; this one would have ${count}: merge it, or refresh its resolutions.`,
    )
  const { decisionsId: _, ...rest } = clip
  const kept = count > 0 ? { decisionsId: await keepDecisions(clip, decisions) } : {}
  tx.write(Clips.replace(clip, { ...rest, ...kept, updatedAt: tx.now }))
}

function decisionsFrom(
  all: readonly Reviewed[],
  wanted: Wanted,
  { by, at }: Pick<Decision, 'by' | 'at'>,
): Omit<Made, 'before'>[] {
  const known = new Map(all.map((one) => [one.difference.id, one]))
  const problems: { key: string; message: string }[] = []
  const stale: { key: string; message: string }[] = []
  const made = wanted.flatMap(({ recordId, resolves }, i) =>
    resolves.flatMap((resolve, j) => {
      const key = `resolvedRecords.${i}.resolves.${j}`
      const { field = WHOLE } = resolve
      const found = known.get(recordId)
      const item = found?.items.find((one) => one.field === field)
      const to = resolve.removedFromMainResolution ?? resolve.resolveTo
      if (!found || !item) {
        problems.push({ key, message: `${field || 'the record'} of ${recordId} does not differ from the source` })
        return []
      }
      if (!to || !choicesOf(found).includes(to)) {
        problems.push({ key, message: `must be one of ${choicesOf(found).join(', ')}` })
        return []
      }
      if (
        isOf(resolve.clip_value_reference, item.versions?.copy) &&
        isOf(resolve.main_value_reference, item.versions?.source)
      )
        return [{ recordId, field, decision: { to, by, at, of: item.of() } }]
      stale.push({ key, message: `${field} of ${recordId} has another value by now: read the resolutions again` })
      return []
    }),
  )
  if (problems.length > 0) throw invalid(problems)
  if (stale.length > 0) throw new ApiError('conflict', stale)
  return made
}

const choicesOf = ({ difference: { kind } }: Reviewed): Choice[] =>
  kind === 'changed' ? ['clip', 'main', 'snapshot'] : kind === 'added' ? ['clip', 'main'] : ['ignore', 'restore']

/** A value may be referred to by its JSON, as it is read, or by a text's own characters. */
const isOf = (reference: string | undefined, text: string | null | undefined): boolean =>
  reference === undefined || text == null || reference === text || JSON.stringify(reference) === text
