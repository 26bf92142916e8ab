/** Secrets that sign a webhook's deliveries: `whsec_` and 32 random bytes in base64, encrypted at rest. */
import { randomBytes } from 'node:crypto'
import { decryptForEnvironment, encryptForEnvironment } from '../auth/envelope-encryption.ts'
import type { NewWebhook } from '../entities/webhooks.ts'

type Secrets = NewWebhook['secrets']

const MAX_SECRETS = 5

export interface NewSecret {
  secret: string
  sealed: string
}

export async function createSecret({
  environmentId,
  id,
}: Pick<NewWebhook, 'environmentId' | 'id'>): Promise<NewSecret> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: await encryptForEnvironment(environmentId, secret, id) }
}

const withoutExpired = (secrets: Secrets, now: Date): Secrets =>
  secrets.filter(({ until }) => until === undefined || until > now.toISOString())

export function rotateSecrets(secrets: Secrets, ciphertext: string, overlapSeconds: number, now: Date): Secrets {
  const overlapEnd = new Date(now.getTime() + overlapSeconds * 1000).toISOString()
  const previous = overlapSeconds === 0 ? [] : withoutExpired(secrets, now)
  const expiring = previous.map((entry) => ({
    ...entry,
    until: entry.until !== undefined && entry.until < overlapEnd ? entry.until : overlapEnd,
  }))
  return [{ sealed: ciphertext }, ...expiring].slice(0, MAX_SECRETS)
}

export const decryptSigningSecrets = (
  { environmentId, id, secrets }: Pick<NewWebhook, 'environmentId' | 'id' | 'secrets'>,
  now: Date,
): Promise<string[]> =>
  Promise.all(
    withoutExpired(secrets, now).map(({ sealed: ciphertext }) => decryptForEnvironment(environmentId, ciphertext, id)),
  )
