/** Stored data clips, listed by environment and by source sheet, and found by their own sheet. */
import * as z from 'zod'
import { Clip } from '../../schemas/clips/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claimUnique, findOwner, releaseUnique } from '../table/unique-names.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'

const Shape = Clip.extend({
  accountId: Id,
  environmentId: Id,
  namespaces: Namespaces,
  decisionsId: z.string().optional(),
  linkVersion: z.number().int().optional(),
  /** Set while merging; `seq` is the length of the source's log at the start, so that another request can resume. */
  merging: z.object({ op: z.string(), seq: z.number().int() }).optional(),
})

const stored = entity({
  name: 'clip',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, ofSheet: { index: 'gsi2', of: ['sourceSheetId'] } },
})
export type StoredClip = Stored<typeof Shape>
export type NewClip = z.infer<typeof Shape>

const buildClaimKey = ({ clipSheetId }: NewClip) => ['clip.sheet', clipSheetId] as const

export const Clips = {
  get: stored.get,
  replace: stored.replace,
  inEnvironment: (environmentId: string): Promise<StoredClip[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
  ofSheet: (sourceSheetId: string): Promise<StoredClip[]> =>
    stored.list('ofSheet', { sourceSheetId }, { order: 'desc' }),
  async bySheet(clipSheetId: string): Promise<StoredClip | undefined> {
    const id = await findOwner('clip.sheet', clipSheetId)
    return id === undefined ? undefined : stored.get(id)
  },
  insert(tx: Tx, clip: NewClip): void {
    tx.write(stored.create(clip), claimUnique(...buildClaimKey(clip), clip.id))
  },
  delete(tx: Tx, clip: StoredClip): void {
    tx.write(stored.remove(clip), releaseUnique(...buildClaimKey(clip)))
  },
}

/** The specification's CD. */
export const clipContext = (clip: NewClip) => ({
  environmentId: clip.environmentId,
  spaceId: clip.spaceId,
  dataClipId: clip.id,
})

export const clipPayload = ({ id, accountId, status }: NewClip) => ({ dataClipId: id, accountId, status })
