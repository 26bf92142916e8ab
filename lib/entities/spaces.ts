/** Stored spaces, listed by environment. */
import * as z from 'zod'
import { Id } from '../../schemas/ids.ts'
import { Space } from '../../schemas/space.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = Space.omit({
  accessToken: true,
  guestLink: true,
  workbooksCount: true,
  filesCount: true,
  createdByUserName: true,
  inheritsGuestAuthentication: true,
  mayInviteGuests: true,
  lastActivityAt: true,
}).extend({
  accountId: Id,
  /** Absent where the space follows its environment: lib/auth/link-version.ts answers which holds. */
  guestAuthentication: Space.shape.guestAuthentication.optional(),
  /** How many shared links it had before the one it has, beside those of the environment it follows. */
  linkVersion: z.number().int().optional(),
})

const stored = entity({ name: 'space', shape: Shape, by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } } })
export type StoredSpace = Stored<typeof Shape>

export const Spaces = {
  ...stored,
  inEnvironment: (environmentId: string): Promise<StoredSpace[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
}

/** The context of an event about the space or something in it. */
export const spaceContext = (space: z.infer<typeof Shape>) => ({
  environmentId: space.environmentId,
  spaceId: space.id,
})

/** What listeners filter by: `space:<namespace>`. */
export const spaceNamespaces = (space: { namespace?: string | undefined }): string[] =>
  space.namespace ? [`space:${space.namespace}`] : []
