/** Secrets with their values: sealed as they are written, unsealed for those who may read them. */
import type { Secret } from '../../schemas/secret.ts'
import * as secrets from '../../schemas/secrets.ts'
import { conflict } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import {
  isIn,
  type SecretPlace,
  Secrets,
  type StoredSecret,
  secretContext,
  secretPayload,
} from '../entities/secrets.ts'
import { ConditionFailed } from '../table/transact.ts'
import { type Actor, begin, type Tx } from '../tx.ts'
import { sealIn, unsealIn } from './sealing.ts'

/** Writers of one name at the same time: each but one reads again and writes over the value just written. */
const ATTEMPTS = 5

const valueIn = ({ environmentId, sealed, id }: StoredSecret): Promise<string> => unsealIn(environmentId, sealed, id)

export async function shownSecret(secret: StoredSecret): Promise<Secret> {
  const { sealed: _, ...shown } = secret
  return { ...shown, value: await valueIn(secret) }
}

/** The secrets that hold for a space and an actor, by name: of several with one name the nearest. */
export async function secretsFor({ environmentId, spaceId, actorId }: SecretPlace): Promise<Secret[]> {
  const all = await Secrets.inEnvironment(environmentId)
  const places: SecretPlace[] = [{ environmentId }]
  if (spaceId) places.push({ environmentId, spaceId })
  if (actorId) places.push({ environmentId, actorId })
  if (spaceId && actorId) places.push({ environmentId, spaceId, actorId })
  const nearest = new Map<string, StoredSecret>()
  for (const place of places) for (const secret of all.filter(isIn(place))) nearest.set(secret.name, secret)
  return Promise.all(byName([...nearest.values()]).map(shownSecret))
}

/** Every value kept in the environment, wherever it holds. */
export const secretValuesIn = async (environmentId: string): Promise<string[]> =>
  Promise.all((await Secrets.inEnvironment(environmentId)).map(valueIn))

/** The secrets of exactly one place, by name. */
export async function secretsIn(place: SecretPlace): Promise<StoredSecret[]> {
  return byName((await Secrets.inEnvironment(place.environmentId)).filter(isIn(place)))
}

/**
 * Writes and commits the secret: a new one, or another value of the one with this name.
 * @param namespaces of the space it holds in
 * @throws 409 when the place has as many secrets as it may
 */
export async function writeSecret(
  actor: Actor,
  place: SecretPlace,
  name: string,
  value: string,
  namespaces: string[] = [],
): Promise<Secret> {
  for (let attempt = 1; ; attempt++) {
    const tx = begin(actor)
    if (attempt < ATTEMPTS) tx.onConflict((error) => error)
    try {
      const secret = await written(tx, place, name, value, namespaces)
      await tx.commit()
      return secret
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
    }
  }
}

async function written(tx: Tx, place: SecretPlace, name: string, value: string, namespaces: string[]): Promise<Secret> {
  const before = await Secrets.named(place, name)
  if (before) {
    if ((await valueIn(before)) !== value) {
      const { rev: _, ...rest } = before
      const sealed = await sealIn(place.environmentId, value, before.id)
      tx.write(Secrets.replace(before, { ...rest, sealed, updatedAt: tx.now }))
      tx.emit(secrets.updated, secretContext(before), secretPayload(before), { namespaces: before.namespaces })
    }
    return { ...before, value }
  }
  if ((await secretsIn(place)).length >= secrets.SECRETS_PER_PLACE)
    throw conflict(`There may be ${secrets.SECRETS_PER_PLACE} secrets in one place, and there are: delete one first.`)
  const id = newId('secret')
  const { accountId, actorId: createdBy } = tx.actor
  const times = { createdAt: tx.now, updatedAt: tx.now }
  const sealed = await sealIn(place.environmentId, value, id)
  Secrets.insert(tx, { ...place, id, name, accountId, sealed, namespaces, createdBy, ...times })
  tx.emit(secrets.created, secretContext(place), secretPayload({ ...place, id }), { namespaces })
  return { ...place, id, name, value }
}

export function removeSecret(tx: Tx, secret: StoredSecret): void {
  Secrets.delete(tx, secret)
  tx.emit(secrets.deleted, secretContext(secret), secretPayload(secret), { namespaces: secret.namespaces })
}

const byName = (found: StoredSecret[]): StoredSecret[] => found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
