/** Creates an account with its first administrator. Not an endpoint: AWS grants access (`npm run admin -- create`). */

import { createAccount } from '../../lib/auth/new-account.ts'
import { randomText } from '../../lib/core/crypto.ts'
import { ApiError } from '../../lib/core/errors.ts'
import { log } from '../../lib/core/log.ts'
import { NewAccountConfig } from '../../schemas/accounts/new-account.ts'
import type { Problem } from '../../schemas/kit/error-codes.ts'

export interface CreatedAccount {
  accountId: string
  userId: string
  email: string
  password: string
  environments: { id: string; name: string; secretKey: string; publishableKey: string }[]
}

const PASSWORD_LENGTH = 20

export async function handler(input: unknown): Promise<CreatedAccount | { errors: Problem[] }> {
  const config = NewAccountConfig.safeParse(input)
  if (!config.success)
    return { errors: config.error.issues.map(({ path, message }) => ({ key: path.join('.'), message })) }
  const { account: name, name: userName, email, password = randomText(PASSWORD_LENGTH) } = config.data
  try {
    const { accountId, userId, environments } = await createAccount({ name, email, userName, password })
    log.info('Account created', { accountId, userId })
    return {
      accountId,
      userId,
      email,
      password,
      environments: environments.map(({ environment, secret, publishable }) => ({
        id: environment.id,
        name: environment.name,
        secretKey: secret.rawKey!,
        publishableKey: publishable.rawKey!,
      })),
    }
  } catch (error) {
    if (error instanceof ApiError) return { errors: error.problems }
    throw error
  }
}
