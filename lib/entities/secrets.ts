/** Stored secrets, their values sealed, listed by environment; a name exists once in a place. */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { Id, Time } from '../../schemas/ids.ts'
import { Secret } from '../../schemas/secret.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claim, ownerOf, release } from '../table/unique.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'

const Shape = Secret.omit({ value: true }).extend({
  accountId: Id,
  sealed: z.string(),
  /** Of the space it holds in, as its events carry them. */
  namespaces: Namespaces,
  createdBy: Id,
  createdAt: Time,
  updatedAt: Time,
})

const stored = entity({ name: 'secret', shape: Shape, by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } } })
export type StoredSecret = Stored<typeof Shape>
export type NewSecret = z.infer<typeof Shape>

/** Where a secret holds: in the environment, in one space of it, for one actor, or for one actor in one space. */
export type SecretPlace = Pick<NewSecret, 'environmentId' | 'spaceId' | 'actorId'>

/** Names are long and any text: a digest fits the key. */
const claimed = ({ environmentId, spaceId = '', actorId = '' }: SecretPlace, name: string) =>
  [
    'secret.name',
    `${environmentId}#${spaceId}#${actorId}#${createHash('sha256').update(name).digest('base64url')}`,
  ] as const

export const isIn =
  ({ environmentId, spaceId, actorId }: SecretPlace) =>
  (secret: SecretPlace): boolean =>
    secret.environmentId === environmentId && secret.spaceId === spaceId && secret.actorId === actorId

export const Secrets = {
  ...stored,
  /** All of the environment, its spaces and actors. */
  inEnvironment: (environmentId: string): Promise<StoredSecret[]> => stored.list('inEnvironment', { environmentId }),
  /** By its name in its place; a strongly consistent read. */
  async named(place: SecretPlace, name: string): Promise<StoredSecret | undefined> {
    const id = await ownerOf(...claimed(place, name))
    return id === undefined ? undefined : stored.get(id)
  },
  insert(tx: Tx, secret: NewSecret): void {
    tx.write(stored.create(secret), claim(...claimed(secret, secret.name), secret.id))
  },
  delete(tx: Tx, before: StoredSecret): void {
    tx.write(stored.remove(before), release(...claimed(before, before.name)))
  },
}

/** The context of an event about the secret. */
export const secretContext = ({ environmentId, spaceId }: SecretPlace) => ({
  environmentId,
  ...(spaceId ? { spaceId } : {}),
})

/** What the events about a secret tell; never its name or value. */
export const secretPayload = ({ id, environmentId, spaceId }: SecretPlace & { id: string }) => ({
  secretId: id,
  // The specification has a text here, also for a secret that is in no space.
  spaceId: spaceId ?? '',
  environmentId,
})
