import { message } from '../../schemas/messages/index.ts'
import * as secrets from '../../schemas/secrets/events.ts'
import type { Secret } from '../../schemas/secrets/shape.ts'
import { MAX_SECRETS_PER_SCOPE } from '../../schemas/secrets/shape.ts'
import { conflict } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import {
  isInScope,
  type SecretScope,
  Secrets,
  type StoredSecret,
  secretContext,
  secretPayload,
} from '../entities/secrets.ts'
import { retryOnConflict } from '../table/transact.ts'
import { type Actor, begin, type Tx } from '../tx.ts'
import { decryptForEnvironment, encryptForEnvironment } from './envelope-encryption.ts'

/** Concurrent writers of one name retry; the last value wins. */
const MAX_ATTEMPTS = 5

const decryptValue = ({ environmentId, sealed: ciphertext, id }: StoredSecret): Promise<string> =>
  decryptForEnvironment(environmentId, ciphertext, id)

export async function serializeSecret(secret: StoredSecret): Promise<Secret> {
  const { sealed: _, ...fields } = secret
  return { ...fields, value: await decryptValue(secret) }
}

export async function resolveSecrets({ environmentId, spaceId, actorId }: SecretScope): Promise<Secret[]> {
  const all = await Secrets.inEnvironment(environmentId)
  const locations: SecretScope[] = [{ environmentId }]
  if (spaceId) locations.push({ environmentId, spaceId })
  if (actorId) locations.push({ environmentId, actorId })
  if (spaceId && actorId) locations.push({ environmentId, spaceId, actorId })
  const nearest = new Map<string, StoredSecret>()
  for (const location of locations)
    for (const secret of all.filter(isInScope(location))) nearest.set(secret.name, secret)
  return Promise.all(sortByName([...nearest.values()]).map(serializeSecret))
}

export const getSecretValues = async (environmentId: string): Promise<string[]> =>
  Promise.all((await Secrets.inEnvironment(environmentId)).map(decryptValue))

export async function listSecrets(location: SecretScope): Promise<StoredSecret[]> {
  return sortByName((await Secrets.inEnvironment(location.environmentId)).filter(isInScope(location)))
}

/** @throws 409 above the limit of secrets */
export async function writeSecret(
  actor: Actor,
  location: SecretScope,
  name: string,
  value: string,
  namespaces: string[] = [],
): Promise<Secret> {
  return retryOnConflict(MAX_ATTEMPTS, async () => {
    const tx = begin(actor)
    const secret = await upsertSecret(tx, location, name, value, namespaces)
    await tx.commit()
    return secret
  })
}

async function upsertSecret(
  tx: Tx,
  location: SecretScope,
  name: string,
  value: string,
  namespaces: string[],
): Promise<Secret> {
  const before = await Secrets.getByName(location, name)
  if (before) {
    if ((await decryptValue(before)) !== value) {
      const { rev: _, ...fields } = before
      const ciphertext = await encryptForEnvironment(location.environmentId, value, before.id)
      tx.write(Secrets.replace(before, { ...fields, sealed: ciphertext, updatedAt: tx.now }))
      tx.emit(secrets.updated, secretContext(before), secretPayload(before), { namespaces: before.namespaces })
    }
    return { ...before, value }
  }
  if ((await listSecrets(location)).length >= MAX_SECRETS_PER_SCOPE)
    throw conflict(message('access.secretsMaximum', { count: MAX_SECRETS_PER_SCOPE }))
  const id = newId('secret')
  const { accountId, actorId: createdBy } = tx.actor
  const times = { createdAt: tx.now, updatedAt: tx.now }
  const ciphertext = await encryptForEnvironment(location.environmentId, value, id)
  Secrets.insert(tx, { ...location, id, name, accountId, sealed: ciphertext, namespaces, createdBy, ...times })
  tx.emit(secrets.created, secretContext(location), secretPayload({ ...location, id }), { namespaces })
  return { ...location, id, name, value }
}

export function removeSecret(tx: Tx, secret: StoredSecret): void {
  Secrets.delete(tx, secret)
  tx.emit(secrets.deleted, secretContext(secret), secretPayload(secret), { namespaces: secret.namespaces })
}

const sortByName = (found: StoredSecret[]): StoredSecret[] => found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
