/** Versions of shared links: replacing or switching off a link ends it, and the tokens of guests who came by it. */
import type { GuestAuthentication } from '../../schemas/environment.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import type { StoredSpace } from '../entities/spaces.ts'

/** A space or a data clip, as far as its shared link is concerned. */
export interface Linked {
  id: string
  /** How many links it had before the one it has. */
  linkVersion?: number | undefined
}

type Space = Linked & Pick<StoredSpace, 'guestAuthentication'>
type Environment = Pick<StoredEnvironment, 'guestAuthentication' | 'linkVersion'>

/** How guests come into the space: a space without its own setting follows its environment. */
export const guestAuthenticationOf = (
  space: Pick<StoredSpace, 'guestAuthentication'>,
  environment: Pick<StoredEnvironment, 'guestAuthentication'>,
): GuestAuthentication => space.guestAuthentication ?? environment.guestAuthentication

const sharesLink = (space: Space, environment: Environment): boolean =>
  guestAuthenticationOf(space, environment) === 'shared_link'

/** Links' tokens are made with it, and guests who come by a link carry it in theirs. */
export const linkVersionOf = ({ linkVersion = 0 }: Linked): number => linkVersion

/** With another link from now on. */
export const withNextLink = <L extends { linkVersion?: number | undefined }>(
  linked: L,
): L & { linkVersion: number } => ({
  ...linked,
  linkVersion: (linked.linkVersion ?? 0) + 1,
})

/** The versions of the environment, which count for the spaces that follow it. */
const followed = ({ guestAuthentication }: Space, { linkVersion = 0 }: Environment): number =>
  guestAuthentication === undefined ? linkVersion : 0

/** The link of a space: it has another one too when an environment that it follows switches shared links off. */
export const linkOfSpace = (space: Space, environment: Environment): Required<Linked> => ({
  id: space.id,
  linkVersion: linkVersionOf(space) + followed(space, environment),
})

/** A changed space: with the link it had, or with another one where it shares its link no longer. */
export function withLinkAfter<S extends Space>(before: Space, after: S, environment: Environment): S {
  const { linkVersion } = linkOfSpace(before, environment)
  const next = sharesLink(before, environment) && !sharesLink(after, environment) ? linkVersion + 1 : linkVersion
  const own = next - followed(after, environment)
  return own === linkVersionOf(after) ? after : { ...after, linkVersion: own }
}

/** Do guests come into the space by a shared link, of this version? */
export const isSharedBy = (space: StoredSpace, environment: StoredEnvironment, version: number | undefined): boolean =>
  sharesLink(space, environment) && version === linkOfSpace(space, environment).linkVersion
