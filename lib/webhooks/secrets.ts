/** The secrets a webhook's deliveries are signed with: `whsec_` and 32 random bytes in base64, sealed at rest. */
import { randomBytes } from 'node:crypto'
import { sealIn, unsealIn } from '../auth/sealing.ts'
import type { NewWebhook } from '../entities/webhooks.ts'

type Secrets = NewWebhook['secrets']

/** More than these are never valid at a time: the oldest ends first. */
const LARGEST_COUNT = 5

export interface NewSecret {
  /** Shown once. */
  secret: string
  sealed: string
}

export async function newSecret({ environmentId, id }: Pick<NewWebhook, 'environmentId' | 'id'>): Promise<NewSecret> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: await sealIn(environmentId, secret, id) }
}

const valid = (secrets: Secrets, now: Date): Secrets =>
  secrets.filter(({ until }) => until === undefined || until > now.toISOString())

/** The secrets from now on: the new one, and the others as long as they are valid, at most for the overlap. */
export function rotated(secrets: Secrets, sealed: string, overlapSeconds: number, now: Date): Secrets {
  const end = new Date(now.getTime() + overlapSeconds * 1000).toISOString()
  const old = overlapSeconds === 0 ? [] : valid(secrets, now)
  const ending = old.map((each) => ({
    ...each,
    until: each.until !== undefined && each.until < end ? each.until : end,
  }))
  return [{ sealed }, ...ending].slice(0, LARGEST_COUNT)
}

/** What to sign with now, the newest first. */
export const signingSecrets = (
  { environmentId, id, secrets }: Pick<NewWebhook, 'environmentId' | 'id' | 'secrets'>,
  now: Date,
): Promise<string[]> => Promise.all(valid(secrets, now).map(({ sealed }) => unsealIn(environmentId, sealed, id)))
