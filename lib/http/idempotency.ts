/**
 * `Idempotency-Key`: a POST that is repeated with the same key is done once, and answered alike for a day. The answer is stored in
 * the transaction of the change itself: after a crash either both are there or neither. It is sealed; an answer with a secret that
 * is shown once is not stored at all.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Principal } from '../auth/principal.ts'
import { randomText, seal, unseal } from '../auth/secrets.ts'
import { conflict, invalidField, unprocessable } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { getObject, putObject } from '../objects/store.ts'
import { claimWork, endWork, leaveWork, type Once } from '../table/once.ts'
import type { Tx } from '../tx.ts'
import type { Request } from './request.ts'
import { Bytes, compress, errorReply } from './respond.ts'

/** How long an answer is kept. */
const DAY_SECONDS = 86_400
/** No request takes longer; then whoever began it has died. */
const LEASE_SECONDS = 60
/** Longer answers are kept in the bucket: an item has 400 KB. */
const ITEM_CHARACTERS = 250_000
const KEY = /^[\x21-\x7e]{1,255}$/
const unzip = promisify(gunzip)

/** One request under a key. */
export interface Repeatable {
  /** What it was answered before. */
  answer?: Bytes
  /**
   * Stores the answer, in the request's own unit of work.
   * @param secrets properties of the answer that hold secrets
   */
  keep(tx: Tx, reply: Bytes, secrets?: readonly string[]): Promise<void>
  /** Nothing was done: a repetition begins anew. */
  giveUp(): Promise<void>
}

/**
 * Begins a request under its key.
 * @throws 400 for a key that cannot be, 409 while the first one is being worked on, 422 for another request under the same key
 */
export async function repeatable(caller: Principal, key: string, request: Request): Promise<Repeatable> {
  if (!KEY.test(key)) throw invalidField('idempotency-key', 'must be 1 to 255 visible ASCII characters')
  const name = createHash('sha256')
    .update(JSON.stringify([...identityOf(caller), key]))
    .digest('base64url')
  const now = Math.floor(Date.now() / 1000)
  const mine: Once = {
    attempt: randomText(22),
    fingerprint: await fingerprintOf(request),
    leaseUntil: now + LEASE_SECONDS,
    expires: now + DAY_SECONDS,
  }
  const before = await claimWork(name, mine, now)
  if (before && before.fingerprint !== mine.fingerprint)
    throw unprocessable('This Idempotency-Key was used for another request: use a new one for each.')
  if (before && !before.answer)
    throw conflict('The request with this Idempotency-Key is being worked on.', { headers: { 'retry-after': '1' } })
  return {
    ...(before?.answer ? { answer: await opened(name, before.answer) } : {}),
    keep: async (tx, reply, secrets = []) => {
      const repeated = holdsSecret(reply, secrets) ? SHOWN_ONCE : reply
      tx.write(endWork(name, { ...mine, answer: await closed(name, repeated) }))
    },
    giveUp: () =>
      leaveWork(name, mine.attempt).catch((error: unknown) =>
        log.warn('A request given up keeps its Idempotency-Key for a minute', { error: error as Error }),
      ),
  }
}

/** Every visitor of a page has its publishable key: to them, an answer under somebody's key would be the answer of another. */
export const mayRepeat = ({ role }: Principal): boolean => role !== 'publishable'

/** Who it is, what it opens, and the credential it came with: another credential of the same actor is another caller. */
const identityOf = (caller: Principal) => {
  const { accountId, actorId, role, environmentId, spaceId, keyId, tokenId, session, clipId, fixed, link } = caller
  return [accountId, actorId, role, environmentId, spaceId, keyId, tokenId, session, clipId, fixed, link, caller.madeBy]
}

const SHOWN_ONCE = errorReply('conflict', [
  {
    key: 'conflict',
    message:
      'The request with this Idempotency-Key was done. Its response had a secret, which is shown once and not stored: look up what ' +
      'was created, delete it if its secret is lost, and make another with a new Idempotency-Key.',
  },
])

function holdsSecret({ body }: Bytes, secrets: readonly string[]): boolean {
  const isIn = (value: unknown): boolean => {
    if (value === null || typeof value !== 'object') return false
    return Object.entries(value).some(([name, member]) => (secrets.includes(name) && !!member) || isIn(member))
  }
  return secrets.length > 0 && isIn(JSON.parse(body.toString('utf8')))
}

/** A form's boundary is made anew at each try: it does not count. */
async function fingerprintOf({ event, headers, bytes }: Request): Promise<string> {
  const { method, path } = event.requestContext.http
  const hash = createHash('sha256').update(JSON.stringify([method, path, event.rawQueryString ?? '']))
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(headers['content-type'] ?? '')?.[1]
  const body = await bytes()
  return hash.update(boundary ? body.toString('latin1').replaceAll(boundary, '') : body).digest('base64url')
}

async function closed(name: string, { body, headers, status }: Bytes): Promise<Once['answer']> {
  const sealed = seal((await compress(body)).toString('base64'), name)
  if (sealed.length <= ITEM_CHARACTERS) return { status, headers, sealed }
  const objectKey = `answers/repeated/${name}`
  await putObject(objectKey, sealed)
  return { status, headers, objectKey }
}

async function opened(name: string, answer: NonNullable<Once['answer']>): Promise<Bytes> {
  const sealed = answer.sealed ?? (await getObject(answer.objectKey!)).toString('utf8')
  const body = await unzip(Buffer.from(unseal(sealed, name), 'base64'))
  return new Bytes(body, { ...answer.headers, 'idempotent-replayed': 'true' }, answer.status)
}
