/** Invites guests by mail and signs them in by link, without revealing to strangers whether they exist. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { GuestAuthentication } from '../../schemas/environments/shape.ts'
import type { Exchange, Invite } from '../../schemas/invitations/endpoints.ts'
import { MAGIC_LINK_MINUTES } from '../../schemas/invitations/shape.ts'
import { MINUTE_MS } from '../../schemas/kit/time.ts'
import { message } from '../../schemas/messages/index.ts'
import { constantTimeEqual, sha256 } from '../core/crypto.ts'
import { ApiError, conflict, forbidden, notFound } from '../core/errors.ts'
import { newId, parseKind } from '../core/ids.ts'
import { log } from '../core/log.ts'
import { Clips } from '../entities/clips.ts'
import { Environments, type StoredEnvironment } from '../entities/environments.ts'
import { Guests, type StoredGuest } from '../entities/guests.ts'
import { Invitations, type StoredInvitation } from '../entities/invitations.ts'
import { Spaces, type StoredSpace } from '../entities/spaces.ts'
import { queueMail } from '../mail/outbox.ts'
import { begin, type Tx } from '../tx.ts'
import { isDeletedGuest } from './deleted-guests.ts'
import {
  buildGuestLink,
  createMagicToken,
  matchesSharedToken,
  parseMagicToken,
  parseSharedToken,
} from './guest-links.ts'
import { type GuestSession, issueClipToken, issueGuestToken, loadGuestPrincipal } from './guest-principal.ts'
import { addGuest, assertNotLinkGuest, canGuestsInvite } from './guests.ts'
import { getGuestAuthentication, resolveSpaceLink } from './link-version.ts'
import { buildSpaceLink } from './links.ts'
import { loadScope } from './load-resource.ts'
import type { Principal } from './principal.ts'

/** Minimum time between mails to a guest about one space, except for administrators and keys. */
const RESEND_PAUSE_SECONDS = 60
/** Minimum response time, so that timing does not reveal whether the guest exists. */
const MIN_RESPONSE_MS = 400

/** @throws 404 if the caller cannot see the space or guest, 403 if it may not invite, 409 if it does too often */
export async function inviteGuest(tx: Tx, caller: Principal, request: Invite): Promise<void> {
  assertNotLinkGuest(caller)
  const space = await loadScope('space', caller, request.spaceId)
  const guest = await findGuest(space, request.guestId)
  if (!guest) throw notFound('guest', request.guestId)
  const environment = await Environments.get(space.environmentId)
  if (!environment) throw notFound('space', space.id)
  if (caller.grants) {
    if (!canGuestsInvite(environment, space)) throw forbidden(message('access.guestsCannotInvite'))
    if (await wasInvitedRecently(guest, space, tx.now))
      throw conflict(message('access.guestInvitedRecently', { count: RESEND_PAUSE_SECONDS }))
  }
  writeMail(tx, guest, { space, environment }, request)
}

async function findGuest(space: StoredSpace, guestId: string): Promise<StoredGuest | undefined> {
  const guest = await Guests.get(guestId)
  const hasSpace = guest?.environmentId === space.environmentId && guest.spaces.some(({ id }) => id === space.id)
  return hasSpace ? guest : undefined
}

const wasInvitedRecently = async (guest: StoredGuest, space: StoredSpace, now: string): Promise<boolean> =>
  (await Invitations.newestOf(guest.id)).some(
    ({ spaceId, createdAt }) =>
      spaceId === space.id && Date.parse(now) - Date.parse(createdAt) < RESEND_PAUSE_SECONDS * 1000,
  )

interface SpaceContext {
  space: StoredSpace
  environment: StoredEnvironment
}

async function findSpaceByMethod(
  method: GuestAuthentication,
  spaceId: string | undefined,
): Promise<SpaceContext | undefined> {
  const space = spaceId === undefined ? undefined : await Spaces.get(spaceId)
  const environment = space && (await Environments.get(space.environmentId))
  return environment && getGuestAuthentication(space, environment) === method ? { space, environment } : undefined
}

function writeMail(tx: Tx, guest: StoredGuest, { space, environment }: SpaceContext, wording: Partial<Invite>): void {
  const id = newId('invitation')
  const token = getGuestAuthentication(space, environment) === 'magic_link' ? createMagicToken(id) : undefined
  const text = [
    `Hello ${guest.name},`,
    wording.fromName ? `${wording.fromName} invites you to ${space.name}.` : `this is your link to ${space.name}.`,
    ...(wording.message ? [wording.message] : []),
    token ? buildSpaceLink(space.id, token) : buildGuestLink(space, environment),
    token
      ? `The link works once, within ${MAGIC_LINK_MINUTES} minutes.`
      : `Sign in there with this address: ${guest.email}`,
  ].join('\n\n')
  queueMail(tx, {
    id,
    accountId: guest.accountId,
    environmentId: guest.environmentId,
    spaceId: space.id,
    guestId: guest.id,
    to: guest.email,
    subject: `${wording.fromName ? 'Invitation' : 'Your link'} to ${space.name}`,
    text,
    ...(token ? { hash: sha256(token) } : {}),
  })
}

interface RedeemResult {
  valid: boolean
  token?: string
  sentTo?: string
}
const INVALID: RedeemResult = { valid: false }

export async function redeemLink({ token, email, spaceId }: Exchange): Promise<RedeemResult> {
  if (token === undefined) {
    const [result] = await Promise.allSettled([mailMagicLink(email!, spaceId!), sleep(MIN_RESPONSE_MS)])
    if (result.status === 'rejected') log.error('Failed to send a magic link', { error: result.reason as Error })
    return { valid: true, sentTo: email! }
  }
  const invitationId = parseMagicToken(token)
  return invitationId ? redeemMagicLink(invitationId, token) : redeemSharedLink(token, email)
}

/** In a space with a shared link, the mail leads to another of the guest's spaces. */
async function mailMagicLink(email: string, spaceId: string): Promise<void> {
  const requestedSpace = await Spaces.get(spaceId)
  const guest = requestedSpace && (await Guests.byEmail(requestedSpace.environmentId, email))
  if (!guest?.spaces.some(({ id }) => id === spaceId)) return
  const spaceIds = new Set([spaceId, ...guest.spaces.map(({ id }) => id)])
  const contexts = await Promise.all([...spaceIds].map((id) => findSpaceByMethod('magic_link', id)))
  const context = contexts.find((candidate) => candidate !== undefined)
  if (!context) return
  const tx = begin({ accountId: guest.accountId, actorId: guest.id })
  if (await wasInvitedRecently(guest, context.space, tx.now)) return
  writeMail(tx, guest, context, {})
  await tx.commit()
}

async function redeemMagicLink(invitationId: string, token: string): Promise<RedeemResult> {
  const invitation = await Invitations.get(invitationId)
  if (!invitation?.hash || !constantTimeEqual(sha256(token), invitation.hash) || invitation.usedAt) return INVALID
  if (Date.now() - Date.parse(invitation.createdAt) > MAGIC_LINK_MINUTES * MINUTE_MS) return INVALID
  const { guestId, spaceId } = invitation
  if (guestId === undefined) return INVALID
  const [context, guest] = await Promise.all([findSpaceByMethod('magic_link', spaceId), Guests.get(guestId)])
  return context && guest ? signInGuest(guest, { spaceId: context.space.id }, invitation) : INVALID
}

/** The address is not verified, so the token opens only what the link opens. */
async function redeemSharedLink(token: string, email: string | undefined): Promise<RedeemResult> {
  const id = parseSharedToken(token)
  if (id === undefined || email === undefined) return INVALID
  if (parseKind(id) === 'clip') return redeemClipLink(id, token, email)
  const context = await findSpaceByMethod('shared_link', id)
  if (!context) return INVALID
  const link = resolveSpaceLink(context.space, context.environment)
  const guest = matchesSharedToken(token, link) ? await Guests.byEmail(context.environment.id, email) : undefined
  return guest ? signInGuest(guest, { spaceId: id, fixed: true, link: link.linkVersion }) : INVALID
}

async function redeemClipLink(clipId: string, token: string, email: string): Promise<RedeemResult> {
  const clip = await Clips.get(clipId)
  if (clip?.sharedLinkAccess !== 'public' || !matchesSharedToken(token, clip)) return INVALID
  const { accountId, environmentId } = clip
  const existing = await Guests.byEmail(environmentId, email)
  if (existing) return { valid: true, token: await issueClipToken(existing, clip) }
  if (await isDeletedGuest({ environmentId, email })) return INVALID
  const tx = begin({ accountId, actorId: clip.createdBy })
  const guest = await addGuest(tx, { environmentId, email, name: email.slice(0, email.indexOf('@')), spaces: [] })
  await tx.commit()
  return { valid: true, token: await issueClipToken(guest, clip) }
}

async function signInGuest(
  guest: StoredGuest,
  session: GuestSession & { spaceId: string },
  usedInvitation?: StoredInvitation,
): Promise<RedeemResult> {
  const { spaceId, fixed, link } = session
  const { id: actorId, environmentId } = guest
  if (!(await loadGuestPrincipal({ actorId, environmentId, spaceId, fixed, link }))) return INVALID
  const tx = begin({ accountId: guest.accountId, actorId })
  if (usedInvitation) tx.write(Invitations.replace(usedInvitation, { ...usedInvitation, usedAt: tx.now }))
  tx.afterCommit(() => recordAccess(guest, spaceId))
  try {
    await tx.commit()
  } catch (error) {
    // Another request used the link at the same time.
    if (error instanceof ApiError && error.code === 'conflict') return INVALID
    throw error
  }
  return { valid: true, token: await issueGuestToken(guest, fixed ? session : {}) }
}

/** May fail: the guest is already signed in. */
async function recordAccess(guest: StoredGuest, spaceId: string): Promise<void> {
  const tx = begin({ accountId: guest.accountId, actorId: guest.id })
  const spaces = guest.spaces.map((space) => (space.id === spaceId ? { ...space, lastAccessed: tx.now } : space))
  Guests.change(tx, guest, { ...guest, spaces })
  await tx.commit()
}
