/** Entitlements of accounts, environments and spaces, one item each. */
import * as z from 'zod'
import { Entitlement } from '../../schemas/accounts/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { entity } from '../table/entity.ts'
import type { Tx } from '../tx.ts'

const stored = entity({
  name: 'entitlements',
  shape: z.object({ id: Id, accountId: Id, entitlements: z.array(Entitlement) }),
  by: {},
})

export const Entitlements = {
  async set(tx: Tx, id: string, entitlements: Entitlement[]): Promise<void> {
    const before = await stored.get(id)
    const after = { id, accountId: tx.actor.accountId, entitlements }
    if (entitlements.length === 0) tx.write(...(before ? [stored.remove(before)] : []))
    else tx.write(before ? stored.replace(before, after) : stored.create(after))
  },
  async resolve(nearestFirst: string[]): Promise<Entitlement[]> {
    const found = await stored.getMany(nearestFirst)
    const byKey = new Map<string, Entitlement>()
    for (const { entitlements } of found)
      for (const entitlement of entitlements) if (!byKey.has(entitlement.key)) byKey.set(entitlement.key, entitlement)
    return [...byKey.values()]
  },
}
