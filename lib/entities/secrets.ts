/** Stored secrets with encrypted values, listed by environment; a name is unique in its scope. */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { Id, Time } from '../../schemas/kit/ids.ts'
import { Secret } from '../../schemas/secrets/shape.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claimUnique, findOwner, releaseUnique } from '../table/unique-names.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'

const Shape = Secret.omit({ value: true }).extend({
  accountId: Id,
  sealed: z.string(),
  namespaces: Namespaces,
  createdBy: Id,
  createdAt: Time,
  updatedAt: Time,
})

const stored = entity({ name: 'secret', shape: Shape, by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } } })
export type StoredSecret = Stored<typeof Shape>
export type NewSecret = z.infer<typeof Shape>

export type SecretScope = Pick<NewSecret, 'environmentId' | 'spaceId' | 'actorId'>

/** The name is hashed, because it is arbitrary text and may be too long for a key. */
const buildClaimKey = ({ environmentId, spaceId = '', actorId = '' }: SecretScope, name: string) =>
  [
    'secret.name',
    `${environmentId}#${spaceId}#${actorId}#${createHash('sha256').update(name).digest('base64url')}`,
  ] as const

export const isInScope =
  ({ environmentId, spaceId, actorId }: SecretScope) =>
  (secret: SecretScope): boolean =>
    secret.environmentId === environmentId && secret.spaceId === spaceId && secret.actorId === actorId

export const Secrets = {
  ...stored,
  inEnvironment: (environmentId: string): Promise<StoredSecret[]> => stored.list('inEnvironment', { environmentId }),
  async getByName(scope: SecretScope, name: string): Promise<StoredSecret | undefined> {
    const id = await findOwner(...buildClaimKey(scope, name))
    return id === undefined ? undefined : stored.get(id)
  },
  insert(tx: Tx, secret: NewSecret): void {
    tx.write(stored.create(secret), claimUnique(...buildClaimKey(secret, secret.name), secret.id))
  },
  delete(tx: Tx, before: StoredSecret): void {
    tx.write(stored.remove(before), releaseUnique(...buildClaimKey(before, before.name)))
  },
}

export const secretContext = ({ environmentId, spaceId }: SecretScope) => ({
  environmentId,
  ...(spaceId ? { spaceId } : {}),
})

/** Never contains the name or value. */
export const secretPayload = ({ id, environmentId, spaceId }: SecretScope & { id: string }) => ({
  secretId: id,
  // The specification requires a string here even for a secret without a space.
  spaceId: spaceId ?? '',
  environmentId,
})
