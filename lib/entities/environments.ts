/** Stored environments; a slug is unique in an account. */
import * as z from 'zod'
import { type Environment, Environment as Shown } from '../../schemas/environments/shape.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claimUnique, releaseUnique } from '../table/unique-names.ts'
import type { Write } from '../table/write.ts'
import type { Tx } from '../tx.ts'

const Shape = Shown.extend({
  /** Incremented to revoke shared links; spaces that follow the environment then have new links. */
  linkVersion: z.number().int().optional(),
})

const stored = entity({ name: 'environment', shape: Shape, by: { inAccount: { index: 'gsi1', of: ['accountId'] } } })
export type StoredEnvironment = Stored<typeof Shape>

const buildClaimKey = (environment: Environment) =>
  ['environment.slug', `${environment.accountId}#${environment.slug}`] as const

export const Environments = {
  ...stored,
  inAccount: (accountId: string): Promise<StoredEnvironment[]> => stored.list('inAccount', { accountId }),
  /** Fails the transaction unless the environment still exists and is for production. */
  staysProduction: (id: string): Write => ({
    ConditionCheck: {
      ...stored.assertExists(id).ConditionCheck,
      ConditionExpression: 'attribute_exists(pk) AND isProd = :true',
      ExpressionAttributeValues: { ':true': true },
    },
  }),
  insert(tx: Tx, environment: Environment): void {
    tx.write(stored.create(environment), claimUnique(...buildClaimKey(environment), environment.id))
  },
  change(tx: Tx, before: StoredEnvironment, after: z.infer<typeof Shape>): void {
    tx.write(stored.replace(before, after))
    if (before.slug !== after.slug)
      tx.write(releaseUnique(...buildClaimKey(before)), claimUnique(...buildClaimKey(after), after.id))
  },
  delete(tx: Tx, before: StoredEnvironment): void {
    tx.write(stored.remove(before), releaseUnique(...buildClaimKey(before)))
  },
}

export const environmentContext = (environment: Environment) => ({ environmentId: environment.id })
