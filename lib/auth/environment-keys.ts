/** An environment's keys: made in pairs with it, rotated with overlap, gone at once when deleted. */
import type { ApiKey } from '../../schemas/auth.ts'
import { Keys, type StoredKey } from '../entities/keys.ts'
import type { Tx } from '../tx.ts'
import { newKey } from './keys.ts'
import { seal, unseal } from './secrets.ts'

/** What a publishable key may call. */
const PUBLISHABLE_OPERATIONS = [{ path: '/v1/spaces', method: 'POST' }]

/** Adds a key to the environment; answers it with its value. */
export function addKey(tx: Tx, environmentId: string, type: 'SECRET' | 'PUBLISHABLE'): ApiKey {
  const key = newKey(type === 'SECRET' ? 'sk' : 'pk')
  const owner = { accountId: tx.actor.accountId, environmentId, createdBy: tx.actor.actorId, createdAt: tx.now }
  tx.write(Keys.create({ id: key.id, ...owner, type, hash: key.hash, sealed: seal(key.value, key.id) }))
  return { id: key.id, rawKey: key.value, type, ...owner, operations: operationsOf(type) }
}

/** A stored key as administrators and the environment's own secret key see it. */
export const shownKey = (key: StoredKey): ApiKey => ({
  id: key.id,
  ...(key.sealed ? { rawKey: unseal(key.sealed, key.id) } : {}),
  type: key.type === 'PUBLISHABLE' ? 'PUBLISHABLE' : 'SECRET',
  environmentId: key.environmentId,
  accountId: key.accountId,
  operations: operationsOf(key.type),
  createdAt: key.createdAt,
})

const operationsOf = (type: StoredKey['type']) => (type === 'PUBLISHABLE' ? PUBLISHABLE_OPERATIONS : [])
