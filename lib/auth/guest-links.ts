/** Guest links: a magic link belongs to one invitation, a shared link is derived from its space or clip. */
import { createHmac } from 'node:crypto'
import { constantTimeEqual, randomText } from '../core/crypto.ts'
import { deriveDeploymentKey } from '../core/deployment-key.ts'
import type { NewClip } from '../entities/clips.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { getGuestAuthentication, getLinkVersion, type LinkOwner, resolveSpaceLink } from './link-version.ts'
import { buildSpaceLink } from './links.ts'

export const createMagicToken = (invitationId: string): string => `${invitationId}_${randomText(43)}`

export const parseMagicToken = (token: string): string | undefined =>
  /^(us_inv_[0-9A-Z]{26})_[A-Za-z0-9]{43}$/.exec(token)?.[1]

/** The same for every guest until the link is replaced or disabled. */
export function buildSharedToken(owner: LinkOwner): string {
  const linkKey = deriveDeploymentKey('wharf shared link key 1')
  const version = getLinkVersion(owner)
  const message = version === 0 ? owner.id : `${owner.id}.${version}`
  return `${owner.id}.${createHmac('sha256', linkKey).update(message).digest('base64url')}`
}

/** Parses only; {@link matchesSharedToken} verifies. */
export const parseSharedToken = (token: string): string | undefined =>
  /^(us_(?:sp|clip)_[0-9A-Za-z_]{1,64})\.[A-Za-z0-9_-]{43}$/.exec(token)?.[1]

export const matchesSharedToken = (token: string, owner: LinkOwner): boolean =>
  constantTimeEqual(token, buildSharedToken(owner))

export const buildGuestLink = (space: StoredSpace, environment: StoredEnvironment): string => {
  const isShared = getGuestAuthentication(space, environment) === 'shared_link'
  return buildSpaceLink(space.id, isShared ? buildSharedToken(resolveSpaceLink(space, environment)) : undefined)
}

export const buildClipLink = (clip: NewClip): string =>
  buildSpaceLink(clip.spaceId, clip.sharedLinkAccess === 'public' ? buildSharedToken(clip) : undefined)
