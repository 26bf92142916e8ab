/** Loads a clip with its two sheets and checks that it can still be changed. */
import { MERGED } from '../../schemas/clips/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { conflict, notFound } from '../core/errors.ts'
import type { StoredClip } from '../entities/clips.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'

export interface ClipSheets {
  clip: StoredClip
  source: StoredSheet
  copy: StoredSheet
}

/** @throws 404 while the clip is being deleted with its source */
export async function loadClipSheets(clip: StoredClip): Promise<ClipSheets> {
  const [source, copy] = await Promise.all([Sheets.get(clip.sourceSheetId), Sheets.get(clip.clipSheetId)])
  if (!source || !copy) throw notFound('clip', clip.id)
  return { clip, source, copy }
}

export function assertNotMerged({ id, status, merging }: StoredClip): void {
  if (status === MERGED || merging) throw conflict(message('clips.merged', { clip: id }))
}
