/** Stored autobuild configurations: one per app of an environment and one for spaces without an app. */
import type * as z from 'zod'
import { Autobuild } from '../../schemas/environments/autobuild.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claimUnique, findOwner, releaseUnique } from '../table/unique-names.ts'
import type { Tx } from '../tx.ts'

const Shape = Autobuild.extend({ accountId: Id })
const stored = entity({
  name: 'autobuild',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } },
})
export type StoredAutobuild = Stored<typeof Shape>

const buildClaimKey = (environmentId: string, appId = '') => ['autobuild', `${environmentId}#${appId}`] as const

export const Autobuilds = {
  inEnvironment: (environmentId: string): Promise<StoredAutobuild[]> => stored.list('inEnvironment', { environmentId }),
  /** Falls back to the environment's default. */
  async findFor(environmentId: string, appId: string | undefined): Promise<StoredAutobuild | undefined> {
    const appAutobuildId = appId === undefined ? undefined : await findOwner(...buildClaimKey(environmentId, appId))
    const id = appAutobuildId ?? (await findOwner(...buildClaimKey(environmentId)))
    return id === undefined ? undefined : stored.get(id)
  },
  /** Finds the one of this app only, not the environment's default in its place. */
  async find(environmentId: string, appId: string | undefined): Promise<StoredAutobuild | undefined> {
    const id = await findOwner(...buildClaimKey(environmentId, appId))
    return id === undefined ? undefined : stored.get(id)
  },
  replace(tx: Tx, before: StoredAutobuild, after: z.infer<typeof Shape>): void {
    tx.write(stored.replace(before, after))
  },
  insert(tx: Tx, autobuild: z.infer<typeof Shape>): void {
    tx.write(
      stored.create(autobuild),
      claimUnique(...buildClaimKey(autobuild.environmentId, autobuild.appId), autobuild.id),
    )
  },
  delete(tx: Tx, autobuild: StoredAutobuild): void {
    tx.write(stored.remove(autobuild), releaseUnique(...buildClaimKey(autobuild.environmentId, autobuild.appId)))
  },
}
