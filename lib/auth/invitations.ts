/** Invites guests by mail and lets them in by the link. What a stranger asks is answered alike whether a guest is there or not. */
import { setTimeout as delay } from 'node:timers/promises'
import type { GuestAuthentication } from '../../schemas/environment.ts'
import { MAGIC_LINK_MINUTES } from '../../schemas/invitation.ts'
import type { Exchange, Invite } from '../../schemas/invitations.ts'
import { ApiError, conflict, forbidden, notFound } from '../core/errors.ts'
import { kindOf, newId } from '../core/ids.ts'
import { log } from '../core/log.ts'
import { Clips } from '../entities/clips.ts'
import { Environments, type StoredEnvironment } from '../entities/environments.ts'
import { Guests, type StoredGuest } from '../entities/guests.ts'
import { Invitations, type StoredInvitation } from '../entities/invitations.ts'
import { Spaces, type StoredSpace } from '../entities/spaces.ts'
import { begin, type Tx } from '../tx.ts'
import { isDeletedGuest } from './deleted-guests.ts'
import { clipToken, type GuestSession, guestPrincipal, guestToken } from './guest-access.ts'
import { guestLinkOf, invitationOfToken, isSharedToken, magicToken, ownerOfSharedToken } from './guest-links.ts'
import { addGuest, guestsMayInvite, refuseByLink } from './guests.ts'
import { guestAuthenticationOf, linkOfSpace } from './link-version.ts'
import { linkTo } from './links.ts'
import { putMail } from './outbox.ts'
import type { Principal } from './principal.ts'
import { loadScope } from './scopes.ts'
import { same, sha256 } from './secrets.ts'

/** Between two mails to one guest about one space, where others than administrators and keys ask for them. */
const PAUSE_SECONDS = 60
/** How long an answer takes whose time could tell whether there is such a guest. */
const ANSWER_MILLISECONDS = 400

/**
 * Writes the mail to a guest who has the space.
 * @throws 404 for a space or guest the caller cannot know of, 403 for a guest who may not invite, 409 for one who invites too often
 */
export async function invite(tx: Tx, caller: Principal, wanted: Invite): Promise<void> {
  refuseByLink(caller)
  const space = await loadScope('space', caller, wanted.spaceId)
  const guest = await guestOf(space, wanted.guestId)
  if (!guest) throw notFound('guest', wanted.guestId)
  const environment = await Environments.get(space.environmentId)
  if (!environment) throw notFound('space', space.id)
  if (caller.grants) {
    if (!guestsMayInvite(environment, space)) throw forbidden('Guests may not invite others to this space.')
    if (await invitedJustNow(guest, space, tx.now))
      throw conflict(`The guest was invited less than ${PAUSE_SECONDS} seconds ago.`)
  }
  writeMail(tx, guest, { space, environment }, wanted)
}

/** A guest of the space's environment who has the space. */
async function guestOf(space: StoredSpace, guestId: string): Promise<StoredGuest | undefined> {
  const guest = await Guests.get(guestId)
  const known = guest?.environmentId === space.environmentId && guest.spaces.some(({ id }) => id === space.id)
  return known ? guest : undefined
}

const invitedJustNow = async (guest: StoredGuest, space: StoredSpace, now: string): Promise<boolean> =>
  (await Invitations.newestOf(guest.id)).some(
    ({ spaceId, createdAt }) => spaceId === space.id && Date.parse(now) - Date.parse(createdAt) < PAUSE_SECONDS * 1000,
  )

interface Place {
  space: StoredSpace
  environment: StoredEnvironment
}

/** The space with its environment, where its guests come in this way. */
async function cameInBy(way: GuestAuthentication, spaceId: string | undefined): Promise<Place | undefined> {
  const space = spaceId === undefined ? undefined : await Spaces.get(spaceId)
  const environment = space && (await Environments.get(space.environmentId))
  return environment && guestAuthenticationOf(space, environment) === way ? { space, environment } : undefined
}

function writeMail(tx: Tx, guest: StoredGuest, { space, environment }: Place, words: Partial<Invite>): void {
  const id = newId('invitation')
  const token = guestAuthenticationOf(space, environment) === 'magic_link' ? magicToken(id) : undefined
  const text = [
    `Hello ${guest.name},`,
    words.fromName ? `${words.fromName} invites you to ${space.name}.` : `this is your link to ${space.name}.`,
    ...(words.message ? [words.message] : []),
    token ? linkTo(space.id, token) : guestLinkOf(space, environment),
    token ? `The link works once, within ${MAGIC_LINK_MINUTES} minutes.` : `Enter this address there: ${guest.email}`,
  ].join('\n\n')
  putMail(tx, {
    id,
    accountId: guest.accountId,
    environmentId: guest.environmentId,
    spaceId: space.id,
    guestId: guest.id,
    to: guest.email,
    subject: `${words.fromName ? 'Invitation' : 'Your link'} to ${space.name}`,
    text,
    ...(token ? { hash: sha256(token) } : {}),
  })
}

interface Exchanged {
  valid: boolean
  token?: string
  sentTo?: string
}
const INVALID: Exchanged = { valid: false }

/** Lets a guest in by a link's token, or mails a new magic link. */
export async function exchange({ token, email, spaceId }: Exchange): Promise<Exchanged> {
  if (token === undefined) {
    const [sent] = await Promise.allSettled([mailMagicLink(email!, spaceId!), delay(ANSWER_MILLISECONDS)])
    if (sent.status === 'rejected') log.error('No magic link was mailed', { error: sent.reason as Error })
    return { valid: true, sentTo: email! }
  }
  const invitationId = invitationOfToken(token)
  return invitationId ? byMagicLink(invitationId, token) : bySharedLink(token, email)
}

/** A guest who asks in a space with a shared link is mailed the way into another of its spaces, from where it reaches all. */
async function mailMagicLink(email: string, spaceId: string): Promise<void> {
  const asked = await Spaces.get(spaceId)
  const guest = asked && (await Guests.byEmail(asked.environmentId, email))
  if (!guest?.spaces.some(({ id }) => id === spaceId)) return
  const spaceIds = new Set([spaceId, ...guest.spaces.map(({ id }) => id)])
  const places = await Promise.all([...spaceIds].map((id) => cameInBy('magic_link', id)))
  const place = places.find((each) => each !== undefined)
  if (!place) return
  const tx = begin({ accountId: guest.accountId, actorId: guest.id })
  if (await invitedJustNow(guest, place.space, tx.now)) return
  writeMail(tx, guest, place, {})
  await tx.commit()
}

async function byMagicLink(invitationId: string, token: string): Promise<Exchanged> {
  const invitation = await Invitations.get(invitationId)
  if (!invitation?.hash || !same(sha256(token), invitation.hash) || invitation.usedAt) return INVALID
  if (Date.now() - Date.parse(invitation.createdAt) > MAGIC_LINK_MINUTES * 60_000) return INVALID
  const { guestId, spaceId } = invitation
  if (guestId === undefined) return INVALID
  const [place, guest] = await Promise.all([cameInBy('magic_link', spaceId), Guests.get(guestId)])
  return place && guest ? enter(guest, { spaceId: place.space.id }, invitation) : INVALID
}

/** The address is not proven, so it opens no more than everybody with the link may open. */
async function bySharedLink(token: string, email: string | undefined): Promise<Exchanged> {
  const id = ownerOfSharedToken(token)
  if (id === undefined || email === undefined) return INVALID
  if (kindOf(id) === 'clip') return byClipLink(id, token, email)
  const place = await cameInBy('shared_link', id)
  if (!place) return INVALID
  const link = linkOfSpace(place.space, place.environment)
  const guest = isSharedToken(token, link) ? await Guests.byEmail(place.environment.id, email) : undefined
  return guest ? enter(guest, { spaceId: id, fixed: true, link: link.linkVersion }) : INVALID
}

/** Everybody with the link of a public clip may come into it; one who is no guest yet becomes one, of nothing else. */
async function byClipLink(clipId: string, token: string, email: string): Promise<Exchanged> {
  const clip = await Clips.get(clipId)
  if (clip?.sharedLinkAccess !== 'public' || !isSharedToken(token, clip)) return INVALID
  const { accountId, environmentId } = clip
  const known = await Guests.byEmail(environmentId, email)
  if (known) return { valid: true, token: await clipToken(known, clip) }
  if (await isDeletedGuest({ environmentId, email })) return INVALID
  const tx = begin({ accountId, actorId: clip.createdBy })
  const guest = await addGuest(tx, { environmentId, email, name: email.slice(0, email.indexOf('@')), spaces: [] })
  await tx.commit()
  return { valid: true, token: await clipToken(guest, clip) }
}

async function enter(
  guest: StoredGuest,
  session: GuestSession & { spaceId: string },
  used?: StoredInvitation,
): Promise<Exchanged> {
  const { spaceId, fixed, link } = session
  const { id: actorId, environmentId } = guest
  if (!(await guestPrincipal({ actorId, environmentId, spaceId, fixed, link }))) return INVALID
  const tx = begin({ accountId: guest.accountId, actorId })
  if (used) tx.write(Invitations.replace(used, { ...used, usedAt: tx.now }))
  tx.afterCommit(() => noteAccess(guest, spaceId))
  try {
    await tx.commit()
  } catch (error) {
    // Somebody else used the link at the same moment.
    if (error instanceof ApiError && error.code === 'conflict') return INVALID
    throw error
  }
  // A proven address opens every space of the guest, a shared link its own alone.
  return { valid: true, token: await guestToken(guest, fixed ? session : {}) }
}

/** May be lost: the guest is in already. */
async function noteAccess(guest: StoredGuest, spaceId: string): Promise<void> {
  const tx = begin({ accountId: guest.accountId, actorId: guest.id })
  const spaces = guest.spaces.map((space) => (space.id === spaceId ? { ...space, lastAccessed: tx.now } : space))
  Guests.change(tx, guest, { ...guest, spaces })
  await tx.commit()
}
