/** Stored environments. A name and a slug exist once in an account. */
import * as z from 'zod'
import type { Environment } from '../../schemas/environment.ts'
import { Environment as Shown } from '../../schemas/environment.ts'
import { entity, type Stored, type Write } from '../table/entity.ts'
import { claim, release } from '../table/unique.ts'
import type { Tx } from '../tx.ts'

const Shape = Shown.extend({
  /** How often it switched shared links off: the spaces that follow it have other links since. */
  linkVersion: z.number().int().optional(),
})

const stored = entity({ name: 'environment', shape: Shape, by: { inAccount: { index: 'gsi1', of: ['accountId'] } } })
export type StoredEnvironment = Stored<typeof Shape>

const claimed = (environment: Environment) =>
  ['environment.slug', `${environment.accountId}#${environment.slug}`] as const

export const Environments = {
  ...stored,
  inAccount: (accountId: string): Promise<StoredEnvironment[]> => stored.list('inAccount', { accountId }),
  /** Commits only if that one is still there, for production. */
  staysProduction: (id: string): Write => {
    const check = stored.stays(id) as Extract<Write, { ConditionCheck: unknown }>
    return {
      ConditionCheck: {
        ...check.ConditionCheck,
        ConditionExpression: 'attribute_exists(pk) AND isProd = :true',
        ExpressionAttributeValues: { ':true': true },
      },
    }
  },
  insert(tx: Tx, environment: Environment): void {
    tx.write(stored.create(environment), claim(...claimed(environment), environment.id))
  },
  change(tx: Tx, before: StoredEnvironment, after: z.infer<typeof Shape>): void {
    tx.write(stored.replace(before, after))
    if (before.slug !== after.slug) tx.write(release(...claimed(before)), claim(...claimed(after), after.id))
  },
  delete(tx: Tx, before: StoredEnvironment): void {
    tx.write(stored.remove(before), release(...claimed(before)))
  },
}

/** The context of an event about the environment. */
export const environmentContext = (environment: Environment) => ({ environmentId: environment.id })
