/** The links guests come in by. A magic link's token is one invitation's; a shared link's is derived from its space. */
import { createHmac } from 'node:crypto'
import type { NewClip } from '../entities/clips.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { deploymentKey } from './deployment-key.ts'
import { guestAuthenticationOf, type Linked, linkOfSpace, linkVersionOf } from './link-version.ts'
import { linkTo } from './links.ts'
import { randomText, same } from './secrets.ts'

/** The token of a new invitation's link: about 250 random bits. */
export const magicToken = (invitationId: string): string => `${invitationId}_${randomText(43)}`

/** The invitation whose token it may be. */
export const invitationOfToken = (token: string): string | undefined =>
  /^(us_inv_[0-9A-Z]{26})_[A-Za-z0-9]{43}$/.exec(token)?.[1]

/** Of a space or a data clip: the same for everybody, until the link is replaced or switched off. */
export function sharedToken(linked: Linked): string {
  const linkKey = deploymentKey('wharf shared link key 1')
  const version = linkVersionOf(linked)
  const signed = version === 0 ? linked.id : `${linked.id}.${version}`
  return `${linked.id}.${createHmac('sha256', linkKey).update(signed).digest('base64url')}`
}

/** The id of the space or data clip a shared token names. Whether the token is right, {@link isSharedToken} says. */
export const ownerOfSharedToken = (token: string): string | undefined =>
  /^(us_(?:sp|clip)_[0-9A-Za-z_]{1,64})\.[A-Za-z0-9_-]{43}$/.exec(token)?.[1]

export const isSharedToken = (token: string, linked: Linked): boolean => same(token, sharedToken(linked))

/** What a space's guests are shown: its shared link, or the page where they ask for a magic link. */
export const guestLinkOf = (space: StoredSpace, environment: StoredEnvironment): string => {
  const isShared = guestAuthenticationOf(space, environment) === 'shared_link'
  return linkTo(space.id, isShared ? sharedToken(linkOfSpace(space, environment)) : undefined)
}

/** The link that everybody comes into a public clip by; of a restricted one the page where its collaborators come in. */
export const clipLinkOf = (clip: NewClip): string =>
  linkTo(clip.spaceId, clip.sharedLinkAccess === 'public' ? sharedToken(clip) : undefined)
