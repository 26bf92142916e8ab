/** The links guests come in by. A magic link's token is one invitation's; a shared link's is derived from its space. */
import { createHmac, hkdfSync } from 'node:crypto'
import { env } from '../core/env.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { linkTo } from './links.ts'
import { randomText, same } from './secrets.ts'

/** The token of a new invitation's link: about 250 random bits. */
export const magicToken = (invitationId: string): string => `${invitationId}_${randomText(43)}`

/** The invitation whose token it may be. */
export const invitationOfToken = (token: string): string | undefined =>
  /^(us_inv_[0-9A-Z]{26})_[A-Za-z0-9]{43}$/.exec(token)?.[1]

let linkKey: Buffer | undefined

/** The same for everybody, as long as the space is there and lets guests in by a shared link. */
export function sharedToken(spaceId: string): string {
  linkKey ??= Buffer.from(hkdfSync('sha256', env().WHARF_SECRET, '', 'wharf shared link key 1', 32))
  return `${spaceId}.${createHmac('sha256', linkKey).update(spaceId).digest('base64url')}`
}

/** The space whose shared token it is; undefined for a forged one. */
export function spaceOfSharedToken(token: string): string | undefined {
  const spaceId = token.slice(0, Math.max(0, token.indexOf('.')))
  return spaceId !== '' && same(token, sharedToken(spaceId)) ? spaceId : undefined
}

/** What a space's guests are shown: its shared link, or the page where they ask for a magic link. */
export const guestLinkOf = ({ id, guestAuthentication }: StoredSpace): string =>
  linkTo(id, guestAuthentication === 'shared_link' ? sharedToken(id) : undefined)
