/** Creates an account with its first administrator, two environments and their keys in one transaction. */

import type { ApiKey } from '../../schemas/auth/shape.ts'
import * as environments from '../../schemas/environments/events.ts'
import type { Environment } from '../../schemas/environments/shape.ts'
import { hashPassword } from '../core/crypto.ts'
import { newId } from '../core/ids.ts'
import { Accounts } from '../entities/accounts.ts'
import { Environments, environmentContext } from '../entities/environments.ts'
import { UserChanges } from '../entities/user-changes.ts'
import { begin } from '../tx.ts'
import { addEnvironmentKey } from './environment-keys.ts'

export interface NewAccount {
  accountId: string
  userId: string
  environments: { environment: Environment; secret: ApiKey; publishable: ApiKey }[]
}

const DEFAULT_ENVIRONMENTS = [
  { name: 'development', isProd: false },
  { name: 'production', isProd: true },
]

export async function createAccount(input: {
  name: string
  email: string
  userName: string
  password: string
}): Promise<NewAccount> {
  const accountId = newId('account')
  const userId = newId('user')
  const tx = begin({ accountId, actorId: userId })
  const times = { createdAt: tx.now, updatedAt: tx.now }
  tx.write(Accounts.create({ id: accountId, name: input.name, metadata: {}, ...times }))
  UserChanges.insert(tx, {
    id: userId,
    accountId,
    email: input.email.toLowerCase(),
    name: input.userName,
    idp: 'wharf',
    metadata: {},
    passwordHash: await hashPassword(input.email, input.password),
    actorRoles: [{ id: newId('actorRole'), role: 'administrator', createdAt: tx.now }],
    ...times,
  })
  const created = DEFAULT_ENVIRONMENTS.map(({ name, isProd }) => {
    const environment: Environment = {
      id: newId('environment'),
      accountId,
      name,
      slug: name,
      isProd,
      guestAuthentication: 'shared_link',
      features: {},
      metadata: {},
    }
    Environments.insert(tx, environment)
    tx.emit(environments.created, environmentContext(environment), {
      environmentId: environment.id,
      name,
      slug: name,
      isProd,
    })
    return {
      environment,
      secret: addEnvironmentKey(tx, environment.id, 'SECRET'),
      publishable: addEnvironmentKey(tx, environment.id, 'PUBLISHABLE'),
    }
  })
  await tx.commit()
  return { accountId, userId, environments: created }
}
