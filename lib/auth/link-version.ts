/** Versions of shared links: replacing or disabling one invalidates it and the tokens issued through it. */
import type { GuestAuthentication } from '../../schemas/environments/shape.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import type { StoredSpace } from '../entities/spaces.ts'

export interface LinkOwner {
  id: string
  linkVersion?: number | undefined
}

type Space = LinkOwner & Pick<StoredSpace, 'guestAuthentication'>
type Environment = Pick<StoredEnvironment, 'guestAuthentication' | 'linkVersion'>

export const getGuestAuthentication = (
  space: Pick<StoredSpace, 'guestAuthentication'>,
  environment: Pick<StoredEnvironment, 'guestAuthentication'>,
): GuestAuthentication => space.guestAuthentication ?? environment.guestAuthentication

const usesSharedLink = (space: Space, environment: Environment): boolean =>
  getGuestAuthentication(space, environment) === 'shared_link'

export const getLinkVersion = ({ linkVersion = 0 }: LinkOwner): number => linkVersion

export const withNextLink = <L extends { linkVersion?: number | undefined }>(
  owner: L,
): L & { linkVersion: number } => ({
  ...owner,
  linkVersion: (owner.linkVersion ?? 0) + 1,
})

/** Spaces without their own setting also use the environment's version. */
const getInheritedVersion = ({ guestAuthentication }: Space, { linkVersion = 0 }: Environment): number =>
  guestAuthentication === undefined ? linkVersion : 0

export const resolveSpaceLink = (space: Space, environment: Environment): Required<LinkOwner> => ({
  id: space.id,
  linkVersion: getLinkVersion(space) + getInheritedVersion(space, environment),
})

export function withUpdatedLink<S extends Space>(before: Space, after: S, environment: Environment): S {
  const { linkVersion } = resolveSpaceLink(before, environment)
  const nextVersion =
    usesSharedLink(before, environment) && !usesSharedLink(after, environment) ? linkVersion + 1 : linkVersion
  const ownVersion = nextVersion - getInheritedVersion(after, environment)
  return ownVersion === getLinkVersion(after) ? after : { ...after, linkVersion: ownVersion }
}

export const matchesSharedLink = (
  space: StoredSpace,
  environment: StoredEnvironment,
  version: number | undefined,
): boolean => usesSharedLink(space, environment) && version === resolveSpaceLink(space, environment).linkVersion
