/**
 * Makes an account with its first administrator. Nobody can sign in before there is one, so it is no endpoint: who may call
 * this function is for AWS to say (`npm run admin:create`).
 */
import { createAccount } from '../../lib/auth/new-account.ts'
import { randomText } from '../../lib/auth/secrets.ts'
import { ApiError } from '../../lib/core/errors.ts'
import { log } from '../../lib/core/log.ts'
import type { Problem } from '../../schemas/errors.ts'
import { NewAccountConfig } from '../../schemas/new-account.ts'

export interface CreatedAccount {
  accountId: string
  userId: string
  email: string
  password: string
  environments: { id: string; name: string; secretKey: string; publishableKey: string }[]
}

const PASSWORD_LENGTH = 20

export async function handler(given: unknown): Promise<CreatedAccount | { errors: Problem[] }> {
  const config = NewAccountConfig.safeParse(given)
  if (!config.success)
    return { errors: config.error.issues.map(({ path, message }) => ({ key: path.join('.'), message })) }
  const { account: name, name: userName, email, password = randomText(PASSWORD_LENGTH) } = config.data
  try {
    const { accountId, userId, environments } = await createAccount({ name, email, userName, password })
    log.info('An account was made', { accountId, userId })
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
