/** Merges a clip into its source as one commit. After a crash the next request resumes it. */

import * as clips from '../../schemas/clips/endpoints.ts'
import * as clipEvents from '../../schemas/clips/events.ts'
import { MERGED } from '../../schemas/clips/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { toSheetRef } from '../commits/sheet-ref.ts'
import { assertUnlocked, getPublishDeadline, prepareWrite } from '../commits/write.ts'
import { ApiError, conflict, notFound } from '../core/errors.ts'
import { Clips, clipContext, clipPayload, type StoredClip } from '../entities/clips.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import * as engine from '../records/index.ts'
import { type Actor, begin } from '../tx.ts'
import { updateSheet } from '../workbooks/update.ts'
import { listItems, loadDecisions, toMergeDecision } from './resolutions.ts'
import { isConflict, reviewClip } from './review.ts'
import type { ClipSheets } from './sheets.ts'

export async function mergeClip(sheets: ClipSheets, actor: Actor): Promise<StoredClip> {
  const publishUntil = getPublishDeadline()
  if (sheets.clip.status === MERGED) return sheets.clip
  assertUnlocked(sheets.source)
  const clip = sheets.clip.merging ? sheets.clip : await startMerge(sheets, actor)
  const commitId = await commitOnce({ ...sheets, clip }, actor, publishUntil)
  const tx = begin(actor)
  const { merging: _, ...clipFields } = clip
  const merged = {
    ...clipFields,
    status: MERGED,
    mergedAt: tx.now,
    updatedAt: tx.now,
    ...(commitId ? { mergedCommitId: commitId } : {}),
  }
  tx.write(Clips.replace(clip, merged))
  tx.emit(clipEvents.updated, clipContext(merged), clipPayload(merged), { namespaces: merged.namespaces })
  await tx.commit()
  return { ...merged, rev: clip.rev + 1 }
}

const createConflictError = (count: number): ApiError =>
  conflict(message('clips.conflicts', { count, endpoint: `${clips.resolve.method} ${clips.resolve.path}` }))

/** Locks the clip first, so that no later change to it is missed by the merge. */
async function startMerge(sheets: ClipSheets, actor: Actor): Promise<StoredClip> {
  const { clip, source, copy } = sheets
  const conflicts = (await reviewClip(sheets)).filter(isConflict).length
  if (conflicts > 0) throw createConflictError(conflicts)
  const { seq } = await engine.readVersion(source.id)
  const tx = begin(actor)
  const merging = { ...clip, merging: { op: `merge ${clip.id}`, seq }, updatedAt: tx.now }
  tx.write(Clips.replace(clip, merging))
  if (!copy.lockedAt) updateSheet(tx, copy, { ...copy, lockedAt: tx.now, lockedBy: actor.actorId })
  await tx.commit()
  return { ...merging, rev: clip.rev + 1 }
}

async function commitOnce(
  { clip, source, copy }: ClipSheets,
  actor: Actor,
  publishUntil: number,
): Promise<string | undefined> {
  const { op, seq } = clip.merging!
  const earlier = await engine.findCommitOfOperation(source.id, op, seq)
  if (earlier !== undefined) return earlier ?? undefined
  const decisions = await loadDecisions(clip)
  const decideAll: engine.DecideMerge = (differences) => {
    const itemLists = differences.map((difference) => listItems(difference, decisions))
    const conflicts = itemLists.filter((items) => items.some(({ to }) => to === undefined)).length
    if (conflicts > 0) throw createConflictError(conflicts)
    return itemLists.map(toMergeDecision)
  }
  const { ref, context, tell: publish } = prepareWrite(source, { actor }, { op, publishUntil })
  try {
    const result = await engine.mergeCopy({ source: ref, copy: toSheetRef(copy) }, decideAll, context)
    await publish(result, { created: result.createdIds, changes: result.changes })
    return result.commitId
  } catch (error) {
    if (error instanceof ApiError) await reopenClip(clip, copy.id, actor)
    throw error
  }
}

async function reopenClip(clip: StoredClip, copyId: string, actor: Actor): Promise<void> {
  const copy: StoredSheet | undefined = await Sheets.get(copyId)
  if (!copy) throw notFound('clip', clip.id)
  const tx = begin(actor)
  const { merging: _, ...openClip } = clip
  tx.write(Clips.replace(clip, { ...openClip, updatedAt: tx.now }))
  const { lockedAt, lockedBy: __, ...unlocked } = copy
  if (lockedAt) updateSheet(tx, copy, unlocked)
  await tx.commit()
}
