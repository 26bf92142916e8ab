/** The links guests come in by. A magic link's token is one invitation's; a shared link's is derived from its space. */
import { createHmac } from 'node:crypto'
import type { GuestAuthentication } from '../../schemas/environment.ts'
import type { NewClip } from '../entities/clips.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { deploymentKey } from './deployment-key.ts'
import { linkTo } from './links.ts'
import { randomText, same } from './secrets.ts'

/** The token of a new invitation's link: about 250 random bits. */
export const magicToken = (invitationId: string): string => `${invitationId}_${randomText(43)}`

/** The invitation whose token it may be. */
export const invitationOfToken = (token: string): string | undefined =>
  /^(us_inv_[0-9A-Z]{26})_[A-Za-z0-9]{43}$/.exec(token)?.[1]

/** Of a space or a data clip: the same for everybody, as long as it is there and lets guests in by a shared link. */
export function sharedToken(id: string): string {
  const linkKey = deploymentKey('wharf shared link key 1')
  return `${id}.${createHmac('sha256', linkKey).update(id).digest('base64url')}`
}

/** The id of the space or data clip whose shared token it is; undefined for a forged one. */
export function ownerOfSharedToken(token: string): string | undefined {
  const id = token.slice(0, Math.max(0, token.indexOf('.')))
  return id !== '' && same(token, sharedToken(id)) ? id : undefined
}

/** How guests come into the space: a space without its own setting follows its environment. */
export const guestAuthenticationOf = (
  space: Pick<StoredSpace, 'guestAuthentication'>,
  environment: Pick<StoredEnvironment, 'guestAuthentication'>,
): GuestAuthentication => space.guestAuthentication ?? environment.guestAuthentication

/** What a space's guests are shown: its shared link, or the page where they ask for a magic link. */
export const guestLinkOf = (space: StoredSpace, environment: StoredEnvironment): string =>
  linkTo(space.id, guestAuthenticationOf(space, environment) === 'shared_link' ? sharedToken(space.id) : undefined)

/** The link that everybody comes into a public clip by; of a restricted one the page where its collaborators come in. */
export const clipLinkOf = ({ id, spaceId, sharedLinkAccess }: NewClip): string =>
  linkTo(spaceId, sharedLinkAccess === 'public' ? sharedToken(id) : undefined)
