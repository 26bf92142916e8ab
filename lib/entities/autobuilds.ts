/** Stored autobuild configurations, listed by environment: one for each app there, and one for spaces of none. */
import type * as z from 'zod'
import { Autobuild } from '../../schemas/autobuild.ts'
import { Id } from '../../schemas/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claim, ownerOf, release } from '../table/unique.ts'
import type { Tx } from '../tx.ts'

const Shape = Autobuild.extend({ accountId: Id })
const stored = entity({
  name: 'autobuild',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } },
})
export type StoredAutobuild = Stored<typeof Shape>

const claimed = (environmentId: string, appId = '') => ['autobuild', `${environmentId}#${appId}`] as const

export const Autobuilds = {
  inEnvironment: (environmentId: string): Promise<StoredAutobuild[]> => stored.list('inEnvironment', { environmentId }),
  /** Of the app, else the one of the environment. */
  async for(environmentId: string, appId: string | undefined): Promise<StoredAutobuild | undefined> {
    const own = appId === undefined ? undefined : await ownerOf(...claimed(environmentId, appId))
    const id = own ?? (await ownerOf(...claimed(environmentId)))
    return id === undefined ? undefined : stored.get(id)
  },
  insert(tx: Tx, autobuild: z.infer<typeof Shape>): void {
    tx.write(stored.create(autobuild), claim(...claimed(autobuild.environmentId, autobuild.appId), autobuild.id))
  },
  delete(tx: Tx, autobuild: StoredAutobuild): void {
    tx.write(stored.remove(autobuild), release(...claimed(autobuild.environmentId, autobuild.appId)))
  },
}
