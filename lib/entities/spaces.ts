import * as z from 'zod'
import { Id } from '../../schemas/kit/ids.ts'
import { Space } from '../../schemas/spaces/shape.ts'
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
  /** Absent while the space follows its environment; see lib/auth/link-version.ts. */
  guestAuthentication: Space.shape.guestAuthentication.optional(),
  linkVersion: z.number().int().optional(),
})

const stored = entity({ name: 'space', shape: Shape, by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } } })
export type StoredSpace = Stored<typeof Shape>

export const Spaces = {
  ...stored,
  inEnvironment: (environmentId: string): Promise<StoredSpace[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
}

export const spaceContext = (space: z.infer<typeof Shape>) => ({
  environmentId: space.environmentId,
  spaceId: space.id,
})

export const spaceNamespaces = (space: { namespace?: string | undefined }): string[] =>
  space.namespace ? [`space:${space.namespace}`] : []
