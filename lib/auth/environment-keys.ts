/** Environment keys: created in pairs with the environment, revoked immediately when deleted. */
import type { ApiKey } from '../../schemas/auth/shape.ts'
import { decrypt, encrypt } from '../core/crypto.ts'
import { Keys, type StoredKey } from '../entities/keys.ts'
import type { Tx } from '../tx.ts'
import { generateKey } from './keys.ts'

const PUBLISHABLE_OPERATIONS = [{ path: '/v1/spaces', method: 'POST' }]

export function addEnvironmentKey(tx: Tx, environmentId: string, type: 'SECRET' | 'PUBLISHABLE'): ApiKey {
  const key = generateKey(type === 'SECRET' ? 'sk' : 'pk')
  const owner = { accountId: tx.actor.accountId, environmentId, createdBy: tx.actor.actorId, createdAt: tx.now }
  tx.write(Keys.create({ id: key.id, ...owner, type, hash: key.hash, sealed: encrypt(key.value, key.id) }))
  return { id: key.id, rawKey: key.value, type, ...owner, operations: getAllowedOperations(type) }
}

export const serializeKey = (key: StoredKey): ApiKey => ({
  id: key.id,
  ...(key.sealed ? { rawKey: decrypt(key.sealed, key.id) } : {}),
  type: key.type === 'PUBLISHABLE' ? 'PUBLISHABLE' : 'SECRET',
  environmentId: key.environmentId,
  accountId: key.accountId,
  operations: getAllowedOperations(key.type),
  createdAt: key.createdAt,
})

const getAllowedOperations = (type: StoredKey['type']) => (type === 'PUBLISHABLE' ? PUBLISHABLE_OPERATIONS : [])
