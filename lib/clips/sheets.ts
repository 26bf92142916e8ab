/** A clip with its two sheets, and whether it may still be changed. */
import { MERGED } from '../../schemas/clip.ts'
import { conflict, notFound } from '../core/errors.ts'
import type { StoredClip } from '../entities/clips.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'

/** The sheets of a clip. */
export interface ClipSheets {
  clip: StoredClip
  source: StoredSheet
  copy: StoredSheet
}

/** @throws 404 while the clip goes with its source */
export async function sheetsOf(clip: StoredClip): Promise<ClipSheets> {
  const [source, copy] = await Promise.all([Sheets.get(clip.sourceSheetId), Sheets.get(clip.clipSheetId)])
  if (!source || !copy) throw notFound('data clip', clip.id)
  return { clip, source, copy }
}

/** @throws ApiError conflict when the clip is merged already */
export function refuseMerged({ id, status, merging }: StoredClip): void {
  if (status === MERGED || merging) throw conflict(`The data clip ${id} is merged: it can be read, not changed.`)
}
