/** Stored data clips, listed by environment and by the sheet they are of. A clip is found by its own sheet too. */
import * as z from 'zod'
import { Clip } from '../../schemas/clip.ts'
import { Id } from '../../schemas/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claim, ownerOf, release } from '../table/unique.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'

const Shape = Clip.extend({
  accountId: Id,
  environmentId: Id,
  /** What listeners filter by: the namespaces of the sheet it is of. */
  namespaces: Namespaces,
  /** Where decisions on differences are kept beside the clip's sheet. */
  decisionsId: z.string().optional(),
  /** How many public links it had before the one it has. */
  linkVersion: z.number().int().optional(),
  /** Being merged since the source's log had `seq` entries: a request that died is taken up by the next. */
  merging: z.object({ op: z.string(), seq: z.number().int() }).optional(),
})

const stored = entity({
  name: 'clip',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, ofSheet: { index: 'gsi2', of: ['sourceSheetId'] } },
})
export type StoredClip = Stored<typeof Shape>
export type NewClip = z.infer<typeof Shape>

const claimed = ({ clipSheetId }: NewClip) => ['clip.sheet', clipSheetId] as const

export const Clips = {
  get: stored.get,
  replace: stored.replace,
  inEnvironment: (environmentId: string): Promise<StoredClip[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
  ofSheet: (sourceSheetId: string): Promise<StoredClip[]> =>
    stored.list('ofSheet', { sourceSheetId }, { order: 'desc' }),
  /** The clip whose own sheet it is. */
  async bySheet(clipSheetId: string): Promise<StoredClip | undefined> {
    const id = await ownerOf('clip.sheet', clipSheetId)
    return id === undefined ? undefined : stored.get(id)
  },
  insert(tx: Tx, clip: NewClip): void {
    tx.write(stored.create(clip), claim(...claimed(clip), clip.id))
  },
  delete(tx: Tx, clip: StoredClip): void {
    tx.write(stored.remove(clip), release(...claimed(clip)))
  },
}

/** CD of the specification. */
export const clipContext = (clip: NewClip) => ({
  environmentId: clip.environmentId,
  spaceId: clip.spaceId,
  dataClipId: clip.id,
})

/** What the events of a clip itself say. */
export const clipPayload = ({ id, accountId, status }: NewClip) => ({ dataClipId: id, accountId, status })
