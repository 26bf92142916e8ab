/**
 * `Idempotency-Key`: a repeated POST runs once and gets the same response for a day.
 * The encrypted response is stored in the transaction of the change, except if it has a one-time secret.
 */

import { createHash, createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { DAY_SECONDS } from '../../schemas/kit/time.ts'
import { message } from '../../schemas/messages/index.ts'
import type { Principal } from '../auth/principal.ts'
import { decrypt, encrypt, randomText } from '../core/crypto.ts'
import { deriveDeploymentKey } from '../core/deployment-key.ts'
import { conflict, invalidField, unprocessable } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { getObject, putObject } from '../objects/store.ts'
import { acquireLease, completeLease, releaseLease, type WorkLease } from '../table/leases.ts'
import type { Tx } from '../tx.ts'
import type { Request } from './request.ts'
import { Bytes, compress, errorReply } from './response.ts'

const RETENTION_SECONDS = DAY_SECONDS
/** No request takes longer, so its process has died. */
const LEASE_SECONDS = 60
/** Longer responses go to the bucket: an item has at most 400 KB. */
const MAX_ITEM_CHARACTERS = 250_000
const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/
const unzip = promisify(gunzip)

/** Stores the reply in the transaction of the change. */
export type StoreReply = (tx: Tx, reply: Bytes, secrets?: readonly string[]) => Promise<void>

/** @throws 400 for an invalid key, 409 while the first request runs, 422 for a key of another request */
export async function runOncePerKey(
  key: string,
  caller: Principal,
  request: Request,
  run: (storeReply?: StoreReply) => Promise<Bytes>,
): Promise<Bytes> {
  // All visitors of a page share its publishable key, so they would get each other's responses.
  if (caller.role === 'publishable') return run()
  if (!KEY_PATTERN.test(key)) throw invalidField('idempotency-key', message('requests.idempotencyKeyForm'))
  const name = createHash('sha256')
    .update(JSON.stringify([...getIdentity(caller), key]))
    .digest('base64url')
  const now = Math.floor(Date.now() / 1000)
  const lease: WorkLease = {
    attempt: randomText(22),
    fingerprint: await computeFingerprint(request),
    leaseUntil: now + LEASE_SECONDS,
    expires: now + RETENTION_SECONDS,
  }
  const existing = await acquireLease(name, lease, now)
  if (existing) return getEarlierReply(name, existing, lease.fingerprint)
  try {
    return await run(async (tx, reply, secrets = []) => {
      const replyToStore = containsSecret(reply, secrets) ? SECRET_WAS_SHOWN : reply
      tx.write(completeLease(name, { ...lease, reply: await encryptReply(name, replyToStore) }))
    })
  } catch (error) {
    await abandon(name, lease)
    throw error
  }
}

async function getEarlierReply(name: string, { fingerprint, reply }: WorkLease, expected: string): Promise<Bytes> {
  if (fingerprint !== expected) throw unprocessable(message('requests.idempotencyKeyUsed'))
  if (!reply) throw conflict(message('requests.idempotencyKeyInProgress'), { headers: { 'retry-after': '1' } })
  return decryptReply(name, reply)
}

const abandon = (name: string, { attempt }: WorkLease): Promise<void> =>
  releaseLease(name, attempt).catch((error: unknown) =>
    log.warn('The Idempotency-Key of an abandoned request stays locked for a minute', { error: error as Error }),
  )

/** Another credential of the same actor counts as another caller. */
const getIdentity = (caller: Principal) => {
  const { accountId, actorId, role, environmentId, spaceId, keyId, tokenId, session, clipId, fixed, link } = caller
  return [accountId, actorId, role, environmentId, spaceId, keyId, tokenId, session, clipId, fixed, link, caller.madeBy]
}

const SECRET_WAS_SHOWN = errorReply('conflict', [
  {
    key: 'conflict',
    message: message('requests.secretWasShown'),
  },
])

function containsSecret({ body }: Bytes, secrets: readonly string[]): boolean {
  const hasSecretIn = (value: unknown): boolean => {
    if (value === null || typeof value !== 'object') return false
    return Object.entries(value).some(([name, member]) => (secrets.includes(name) && !!member) || hasSecretIn(member))
  }
  return secrets.length > 0 && hasSecretIn(JSON.parse(body.toString('utf8')))
}

/** Keyed, because passwords in a body could be guessed from a plain hash. Clients choose a new form boundary each time. */
async function computeFingerprint({ event, headers, bytes }: Request): Promise<string> {
  const { method, path } = event.requestContext.http
  const key = deriveDeploymentKey('wharf repeated request key 1')
  const hash = createHmac('sha256', key).update(JSON.stringify([method, path, event.rawQueryString ?? '']))
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(headers['content-type'] ?? '')?.[1]
  const body = await bytes()
  return hash.update(boundary ? body.toString('latin1').replaceAll(boundary, '') : body).digest('base64url')
}

async function encryptReply(name: string, { body, headers, status }: Bytes): Promise<WorkLease['reply']> {
  const ciphertext = encrypt((await compress(body)).toString('base64'), name)
  if (ciphertext.length <= MAX_ITEM_CHARACTERS) return { status, headers, sealed: ciphertext }
  const objectKey = `replies/repeated/${name}`
  await putObject(objectKey, ciphertext)
  return { status, headers, objectKey }
}

async function decryptReply(name: string, storedReply: NonNullable<WorkLease['reply']>): Promise<Bytes> {
  const ciphertext = storedReply.sealed ?? (await getObject(storedReply.objectKey!)).toString('utf8')
  const body = await unzip(Buffer.from(decrypt(ciphertext, name), 'base64'))
  return new Bytes(body, { ...storedReply.headers, 'idempotent-replayed': 'true' }, storedReply.status)
}
