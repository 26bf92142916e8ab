/** Stored apps, listed by account, with their constraints and every version of those. */
import type * as z from 'zod'
import { App, type AppConstraint, ConstraintVersion } from '../../schemas/apps/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claimUnique, releaseUnique } from '../table/unique-names.ts'
import { begin, type Tx } from '../tx.ts'

const Shape = App.extend({ accountId: Id })
const stored = entity({ name: 'app', shape: Shape, by: { inAccount: { index: 'gsi1', of: ['accountId'] } } })
export type StoredApp = Stored<typeof Shape>
type NewApp = z.infer<typeof Shape>

const buildClaimKey = ({ accountId, namespace }: NewApp) => ['app.namespace', `${accountId}#${namespace}`] as const

export const Apps = {
  get: stored.get,
  inAccount: (accountId: string): Promise<StoredApp[]> => stored.list('inAccount', { accountId }),
  insert(tx: Tx, app: NewApp): void {
    tx.write(stored.create(app), claimUnique(...buildClaimKey(app), app.id))
  },
  change(tx: Tx, before: StoredApp, after: NewApp): void {
    tx.write(stored.replace(before, after))
    if (before.namespace !== after.namespace)
      tx.write(releaseUnique(...buildClaimKey(before)), claimUnique(...buildClaimKey(after), after.id))
  },
  delete(tx: Tx, app: StoredApp): void {
    tx.write(stored.remove(app), releaseUnique(...buildClaimKey(app)))
  },
}

const ConstraintShape = ConstraintVersion
const constraints = entity({
  name: 'app-constraint',
  shape: ConstraintShape,
  by: { ofApp: { index: 'gsi1', of: ['appId'] } },
})
export type StoredConstraint = Stored<typeof ConstraintShape>
export type NewConstraint = z.infer<typeof ConstraintShape>

const VersionShape = ConstraintVersion.extend({ constraintId: Id })
const versions = entity({
  name: 'app-constraint-version',
  shape: VersionShape,
  by: { ofConstraint: { index: 'gsi1', of: ['constraintId'] } },
})

const toVersion = (constraint: NewConstraint) => ({
  ...constraint,
  id: `${constraint.id}#${String(constraint.version).padStart(6, '0')}`,
  constraintId: constraint.id,
})
const buildValidatorKey = ({ appId, validator }: z.infer<typeof AppConstraint>) =>
  ['app-constraint.validator', `${appId}#${validator}`] as const

/** Deletions per transaction, which holds 100 writes. */
const MAX_DELETES_PER_TRANSACTION = 90

export const AppConstraints = {
  get: constraints.get,
  ofApp: (appId: string): Promise<StoredConstraint[]> => constraints.list('ofApp', { appId }),
  insert(tx: Tx, constraint: NewConstraint): void {
    tx.write(
      constraints.create(constraint),
      versions.create(toVersion(constraint)),
      claimUnique(...buildValidatorKey(constraint), constraint.id),
    )
  },
  change(tx: Tx, before: StoredConstraint, after: NewConstraint): void {
    tx.write(constraints.replace(before, after), versions.create(toVersion(after)))
  },
  async versions(constraintId: string): Promise<NewConstraint[]> {
    const found = await versions.list('ofConstraint', { constraintId }, { order: 'desc' })
    return found.map((version) => ({ ...version, id: constraintId }))
  },
  /** Versions are deleted first, so that an interrupted deletion is found again and finished. */
  async delete(tx: Tx, constraint: StoredConstraint): Promise<void> {
    const storedVersions = await versions.list('ofConstraint', { constraintId: constraint.id })
    for (let first = 0; first < storedVersions.length; first += MAX_DELETES_PER_TRANSACTION) {
      const batchTx = begin(tx.actor)
      batchTx.write(...storedVersions.slice(first, first + MAX_DELETES_PER_TRANSACTION).map(versions.remove))
      await batchTx.commit()
    }
    tx.write(constraints.remove(constraint), releaseUnique(...buildValidatorKey(constraint)))
  },
}
