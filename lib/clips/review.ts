/** Reviews a clip's differences and records decisions on them. */
import type * as z from 'zod'
import type * as clips from '../../schemas/clips/endpoints.ts'
import * as clipEvents from '../../schemas/clips/events.ts'
import { MAX_DECISIONS_PER_CLIP, MAX_RESOLUTIONS_PER_EVENT } from '../../schemas/clips/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { toSheetRef } from '../commits/sheet-ref.ts'
import { ApiError, invalid, tooLarge } from '../core/errors.ts'
import { Clips, clipContext, type StoredClip } from '../entities/clips.ts'
import * as engine from '../records/index.ts'
import type { Tx } from '../tx.ts'
import {
  type Choice,
  countDecisions,
  type Decision,
  type Decisions,
  filterValidDecisions,
  type Item,
  listItems,
  loadDecisions,
  serializeResolve,
  storeDecisions,
  WHOLE_RECORD,
} from './resolutions.ts'
import type { ClipSheets } from './sheets.ts'

export interface ReviewedDifference {
  difference: engine.Difference
  items: Item[]
}

export const isConflict = ({ items }: ReviewedDifference): boolean => items.some(({ to }) => to === undefined)

const getSheetRefs = ({ source, copy }: ClipSheets) => ({ source: toSheetRef(source), copy: toSheetRef(copy) })

export async function reviewClip(sheets: ClipSheets): Promise<ReviewedDifference[]> {
  const [differences, decisions] = await Promise.all([
    engine.readCopyDifferences(getSheetRefs(sheets)),
    loadDecisions(sheets.clip),
  ])
  return differences.map((difference) => ({ difference, items: listItems(difference, decisions) }))
}

export const filterDifferences = (
  all: readonly ReviewedDifference[],
  { filterColumn, filterConflicts }: { filterColumn?: string | undefined; filterConflicts?: boolean | undefined },
): ReviewedDifference[] =>
  all.filter(
    (entry) =>
      (!filterConflicts || isConflict(entry)) &&
      (filterColumn === undefined || entry.difference.cells.has(filterColumn)),
  )

export async function loadValues(sheets: ClipSheets, entries: readonly ReviewedDifference[]) {
  const records = await engine.readThreeWayRecords(
    getSheetRefs(sheets),
    entries.map(({ difference }) => difference),
  )
  const items = new Map(entries.map((entry) => [entry.difference.id, entry.items]))
  return records.map((record) => ({ ...record, resolves: items.get(record.id)!.map(serializeResolve) }))
}

export function summarize(all: readonly ReviewedDifference[]) {
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

type RequestedDecisions = z.output<typeof clips.resolve.body>['resolvedRecords']

interface NewDecision {
  recordId: string
  field: string
  decision: Decision
  before: Decision | undefined
}

/** @throws ApiError invalid listing every invalid decision, conflict where values changed since they were read */
export async function decide(tx: Tx, sheets: ClipSheets, requested: RequestedDecisions): Promise<void> {
  const { clip } = sheets
  const [all, decisions] = await Promise.all([reviewClip(sheets), loadDecisions(clip)])
  const newDecisions = resolveDecisions(all, requested, { by: tx.actor.actorId, at: tx.now }).map((entry) => ({
    ...entry,
    before: decisions[entry.recordId]?.[entry.field],
  }))
  const changed = newDecisions.filter(({ decision, before }) => before?.to !== decision.to || before.of !== decision.of)
  if (changed.length === 0) return
  const next = { ...decisions }
  for (const { recordId, field, decision } of changed) next[recordId] = { ...next[recordId], [field]: decision }
  await replaceDecisions(tx, clip, next)
  emitDecisions(tx, clip, changed)
}

const formatConflictId = ({ recordId, field }: NewDecision): string =>
  field === WHOLE_RECORD ? recordId : `${recordId}.${field}`

function emitDecisions(tx: Tx, clip: StoredClip, changed: readonly NewDecision[]): void {
  const context = clipContext(clip)
  const { namespaces } = clip
  const serializeDecision = (newDecision: NewDecision) => ({
    conflictId: formatConflictId(newDecision),
    resolution: newDecision.decision.to,
    resolvedBy: newDecision.decision.by,
  })
  for (const batch of splitIntoBatches(changed.filter(({ before }) => !before)))
    tx.emit(
      clipEvents.resolutionsCreated,
      context,
      { dataClipId: clip.id, resolutions: batch.map(serializeDecision) },
      { namespaces },
    )
  for (const batch of splitIntoBatches(changed.filter(({ before }) => before)))
    tx.emit(
      clipEvents.resolutionsUpdated,
      context,
      {
        dataClipId: clip.id,
        resolutions: batch.map((newDecision) => ({
          ...serializeDecision(newDecision),
          updatedAt: newDecision.decision.at,
        })),
        changes: batch.map((newDecision) => ({
          conflictId: formatConflictId(newDecision),
          previousResolution: newDecision.before!.to,
          newResolution: newDecision.decision.to,
        })),
      },
      { namespaces },
    )
}

function* splitIntoBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let first = 0; first < all.length; first += MAX_RESOLUTIONS_PER_EVENT)
    yield all.slice(first, first + MAX_RESOLUTIONS_PER_EVENT)
}

export async function refreshDecisions(tx: Tx, sheets: ClipSheets): Promise<void> {
  const { clip } = sheets
  const [all, decisions] = await Promise.all([reviewClip(sheets), loadDecisions(clip)])
  const valid = filterValidDecisions(
    decisions,
    all.map(({ difference }) => difference),
  )
  await replaceDecisions(tx, clip, valid)
  tx.emit(clipEvents.resolutionsRefreshed, clipContext(clip), {}, { namespaces: clip.namespaces })
}

async function replaceDecisions(tx: Tx, clip: StoredClip, decisions: Decisions): Promise<void> {
  const count = countDecisions(decisions)
  if (count > MAX_DECISIONS_PER_CLIP)
    throw tooLarge(message('clips.tooManyDecisions', { count: MAX_DECISIONS_PER_CLIP, current: count }))
  const { decisionsId: _, ...clipFields } = clip
  const storedId = count > 0 ? { decisionsId: await storeDecisions(clip, decisions) } : {}
  tx.write(Clips.replace(clip, { ...clipFields, ...storedId, updatedAt: tx.now }))
}

function resolveDecisions(
  all: readonly ReviewedDifference[],
  requested: RequestedDecisions,
  { by, at }: Pick<Decision, 'by' | 'at'>,
): Omit<NewDecision, 'before'>[] {
  const byRecordId = new Map(all.map((entry) => [entry.difference.id, entry]))
  const problems: { key: string; message: string }[] = []
  const stale: { key: string; message: string }[] = []
  const newDecisions = requested.flatMap(({ recordId, resolves }, i) =>
    resolves.flatMap((resolve, j) => {
      const key = `resolvedRecords.${i}.resolves.${j}`
      const { field = WHOLE_RECORD } = resolve
      const reviewedRecord = byRecordId.get(recordId)
      const item = reviewedRecord?.items.find((candidate) => candidate.field === field)
      const to = resolve.removedFromMainResolution ?? resolve.resolveTo
      if (!reviewedRecord || !item) {
        problems.push({ key, message: formatNotDifferent(recordId, field) })
        return []
      }
      if (!to || !listChoices(reviewedRecord).includes(to)) {
        problems.push({
          key,
          message: message('clips.invalidChoice', { choices: listChoices(reviewedRecord).join(', ') }),
        })
        return []
      }
      if (
        matchesReference(resolve.clip_value_reference, item.versions?.copy) &&
        matchesReference(resolve.main_value_reference, item.versions?.source)
      )
        return [{ recordId, field, decision: { to, by, at, of: item.getHash() } }]
      stale.push({ key, message: message('clips.fieldChanged', { field, record: recordId }) })
      return []
    }),
  )
  if (problems.length > 0) throw invalid(problems)
  if (stale.length > 0) throw new ApiError('conflict', stale)
  return newDecisions
}

const formatNotDifferent = (record: string, field: string): string =>
  field === WHOLE_RECORD
    ? message('clips.recordNotDifferent', { record })
    : message('clips.fieldNotDifferent', { field, record })

const listChoices = ({ difference: { kind } }: ReviewedDifference): Choice[] =>
  kind === 'changed' ? ['clip', 'main', 'snapshot'] : kind === 'added' ? ['clip', 'main'] : ['ignore', 'restore']

/** Clients may refer to a value by its JSON or, for text, by its raw characters. */
const matchesReference = (reference: string | undefined, text: string | null | undefined): boolean =>
  reference === undefined || text == null || reference === text || JSON.stringify(reference) === text
