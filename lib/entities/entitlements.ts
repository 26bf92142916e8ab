/** What accounts, environments and spaces are entitled to: one item each. */
import * as z from 'zod'
import { Entitlement } from '../../schemas/account.ts'
import { Id } from '../../schemas/ids.ts'
import { entity } from '../table/entity.ts'
import type { Tx } from '../tx.ts'

const stored = entity({
  name: 'entitlements',
  shape: z.object({ id: Id, accountId: Id, entitlements: z.array(Entitlement) }),
  by: {},
})

export const Entitlements = {
  /** In place of what was there; none, and nothing is kept. */
  async set(tx: Tx, id: string, entitlements: Entitlement[]): Promise<void> {
    const before = await stored.get(id)
    const after = { id, accountId: tx.actor.accountId, entitlements }
    if (entitlements.length === 0) tx.write(...(before ? [stored.remove(before)] : []))
    else tx.write(before ? stored.replace(before, after) : stored.create(after))
  },
  /** Of the nearest thing and those around it: of several with one key the nearest holds. */
  async of(nearestFirst: string[]): Promise<Entitlement[]> {
    const found = await stored.getMany(nearestFirst)
    const held = new Map<string, Entitlement>()
    for (const { entitlements } of found) for (const one of entitlements) if (!held.has(one.key)) held.set(one.key, one)
    return [...held.values()]
  },
}
