/**
 * Takes a clip's changes over into its source, as one commit under one operation. What a crash interrupts the next request
 * goes on with: the clip says that it is being merged, the source's log whether the commit was made.
 */
import { MERGED } from '../../schemas/clip.ts'
import * as clips from '../../schemas/clips.ts'
import { sheetRef } from '../commits/sheet-ref.ts'
import { refuseLocked, tellingUntil, writing } from '../commits/write.ts'
import { ApiError, conflict, notFound } from '../core/errors.ts'
import { Clips, clipContext, clipPayload, type StoredClip } from '../entities/clips.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import * as engine from '../records/index.ts'
import { type Actor, begin } from '../tx.ts'
import { updateSheet } from '../workbooks/update.ts'
import { itemsOf, keptDecisions, verdictOf } from './resolutions.ts'
import { isConflict, reviewed } from './review.ts'
import type { ClipSheets } from './sheets.ts'

/** The clip, merged. @throws ApiError conflict while there are conflicts or the source is locked */
export async function mergeClip(sheets: ClipSheets, actor: Actor): Promise<StoredClip> {
  const tellUntil = tellingUntil()
  if (sheets.clip.status === MERGED) return sheets.clip
  refuseLocked(sheets.source)
  const clip = sheets.clip.merging ? sheets.clip : await started(sheets, actor)
  const commitId = await commitOnce({ ...sheets, clip }, actor, tellUntil)
  const tx = begin(actor)
  const { merging: _, ...rest } = clip
  const merged = {
    ...rest,
    status: MERGED,
    mergedAt: tx.now,
    updatedAt: tx.now,
    ...(commitId ? { mergedCommitId: commitId } : {}),
  }
  tx.write(Clips.replace(clip, merged))
  tx.emit(clips.updated, clipContext(merged), clipPayload(merged), { namespaces: merged.namespaces })
  await tx.commit()
  return { ...merged, rev: clip.rev + 1 }
}

const conflictsLeft = (count: number): ApiError =>
  conflict(`${count} records have conflicts: decide on them by PATCH /data-clips/{dataClipId}/resolutions first.`)

/** The clip is closed first, so that nothing is changed in it that would not be taken over. */
async function started(sheets: ClipSheets, actor: Actor): Promise<StoredClip> {
  const { clip, source, copy } = sheets
  const conflicts = (await reviewed(sheets)).filter(isConflict).length
  if (conflicts > 0) throw conflictsLeft(conflicts)
  const { seq } = await engine.versionOf(source.id)
  const tx = begin(actor)
  const merging = { ...clip, merging: { op: `merge ${clip.id}`, seq }, updatedAt: tx.now }
  tx.write(Clips.replace(clip, merging))
  if (!copy.lockedAt) updateSheet(tx, copy, { ...copy, lockedAt: tx.now, lockedBy: actor.actorId })
  await tx.commit()
  return { ...merging, rev: clip.rev + 1 }
}

/** The commit that takes the changes over; undefined when there are none. */
async function commitOnce(
  { clip, source, copy }: ClipSheets,
  actor: Actor,
  tellUntil: number,
): Promise<string | undefined> {
  const { op, seq } = clip.merging!
  const earlier = await engine.commitOfOperation(source.id, op, seq)
  if (earlier !== undefined) return earlier ?? undefined
  const decisions = await keptDecisions(clip)
  const judge: engine.Judge = (differences) => {
    const all = differences.map((difference) => itemsOf(difference, decisions))
    const conflicts = all.filter((items) => items.some(({ to }) => to === undefined)).length
    if (conflicts > 0) throw conflictsLeft(conflicts)
    return all.map(verdictOf)
  }
  const { ref, context, tell } = writing(source, { actor }, { op, tellUntil })
  try {
    const result = await engine.mergeCopy({ source: ref, copy: sheetRef(copy) }, judge, context)
    await tell(result, { created: result.createdIds, changes: result.changes })
    return result.commitId
  } catch (error) {
    if (error instanceof ApiError) await reopened(clip, copy.id, actor)
    throw error
  }
}

async function reopened(clip: StoredClip, copyId: string, actor: Actor): Promise<void> {
  const copy: StoredSheet | undefined = await Sheets.get(copyId)
  if (!copy) throw notFound('data clip', clip.id)
  const tx = begin(actor)
  const { merging: _, ...open } = clip
  tx.write(Clips.replace(clip, { ...open, updatedAt: tx.now }))
  const { lockedAt, lockedBy: __, ...unlocked } = copy
  if (lockedAt) updateSheet(tx, copy, unlocked)
  await tx.commit()
}
