/** Endpoints for guests: customers with access to certain spaces or workbooks. */
import * as z from 'zod'
import { ActorRole, AssignRole } from '../access/roles.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped, Time } from '../kit/ids.ts'
import { ignored, nullish } from '../kit/nullish.ts'
import { data, list, paged, pageQuery, Success } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import { Email, Guest, MAX_GUESTS_PER_CALL, MAX_PARTS_PER_GRANT, MAX_SPACES_PER_GUEST } from './shape.ts'

const hasUniqueIds = (items: { id: string }[]): boolean => new Set(items.map(({ id }) => id)).size === items.length
const uniqueArray = <T extends { id: string }>(shape: z.ZodType<T>) =>
  z.array(shape).refine(hasUniqueIds, message('access.sameIdTwice'))

const grantedParts = (kind: 'workbook' | 'sheet') =>
  nullish(
    uniqueArray(z.strictObject({ id: scoped(kind) }))
      .refine((items) => items.length > 0, message('access.grantsNothing'))
      .refine(
        (items) => items.length <= MAX_PARTS_PER_GRANT,
        message('shape.entriesAtMost', { count: MAX_PARTS_PER_GRANT }),
      ),
  )

/** Rejects unknown properties: ignoring one could grant more than intended. */
const Grant = z
  .strictObject({
    id: scoped('space'),
    workbooks: grantedParts('workbook'),
    sheets: grantedParts('sheet'),
    lastAccessed: ignored(Time),
  })
  .transform(({ lastAccessed: _, ...grant }) => grant)
export type Grant = z.infer<typeof Grant>

const Grants = uniqueArray(Grant).refine(
  (items) => items.length <= MAX_SPACES_PER_GUEST,
  message('shape.entriesAtMost', { count: MAX_SPACES_PER_GUEST }),
)
const GuestName = z.string().trim().min(1).max(200)

const GuestConfig = z.object({ environmentId: scoped('environment'), email: Email, name: GuestName, spaces: Grants })
export type GuestConfig = z.infer<typeof GuestConfig>

export const create = endpoint({
  id: 'guests.create',
  method: 'POST',
  path: '/guests',
  summary: 'Creates guests, or grants spaces to existing guests',
  description:
    'The body is a guest or a list of guests. Guests are identified by email address within an environment: an existing guest keeps its access and ' +
    'also gets the given spaces. Guests can invite others to what they can access themselves, unless `sidebarConfig.showGuestInvite` ' +
    'is false in the metadata (or settings) of the space, or else in the metadata of the environment. Guests who used a shared link ' +
    'cannot invite others, since their email address is not verified. For guests, the response only repeats the request.',
  policy: { can: 'invitations:write', on: 'environments' },
  audit: 'change',
  body: z.union([z.array(GuestConfig).min(1).max(MAX_GUESTS_PER_CALL), GuestConfig.transform((guest) => [guest])]),
  reply: list(Guest),
  errors: ['not-found', 'conflict'],
  example: {
    body: [
      {
        environmentId: '{environmentId}',
        email: 'grace@example.com',
        name: 'Grace',
        spaces: [{ id: '{spaceId}', workbooks: [{ id: '{workbookId}' }] }],
      },
    ],
  },
})

export const listed = endpoint({
  id: 'guests.list',
  method: 'GET',
  path: '/guests',
  summary: 'Lists the guests of a space or an environment',
  description:
    'With `spaceId`, a guest of a whole space sees its other guests, unless `sidebarConfig.showGuests` is false in the metadata (or settings) of ' +
    'the space, or else in the metadata of the environment. Otherwise guests see only themselves.',
  policy: { can: 'guests:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    spaceId: scoped('space').optional(),
    email: z.string().optional(),
    ...pageQuery(20),
  }),
  reply: paged(Guest),
  errors: ['not-found'],
  example: { query: { environmentId: '{environmentId}', spaceId: '{spaceId}' } },
})

const params = z.object({ guestId: Id })
const idPath = 'params.guestId'
const example = { params: { guestId: '{guestId}' } }

export const get = endpoint({
  id: 'guests.get',
  method: 'GET',
  path: '/guests/{guestId}',
  summary: 'Reads a guest',
  policy: { can: 'guests:read', on: 'guest', at: idPath },
  params,
  reply: data(Guest),
  example,
})

export const update = endpoint({
  id: 'guests.update',
  method: 'PATCH',
  path: '/guests/{guestId}',
  summary: 'Updates a guest',
  description: '`spaces` replaces the whole list: access to omitted spaces is revoked immediately.',
  policy: { can: 'guests:write', on: 'guest', at: idPath },
  audit: 'change',
  params,
  body: z.object({
    environmentId: nullish(scoped('environment')),
    email: nullish(Email),
    name: nullish(GuestName),
    spaces: nullish(Grants),
  }),
  reply: data(Guest),
  errors: ['not-found', 'conflict'],
  example: { ...example, body: { name: 'Grace Hopper' } },
})

export const remove = endpoint({
  id: 'guests.remove',
  method: 'DELETE',
  path: '/guests/{guestId}',
  summary: 'Deletes a guest, or revokes its access to one space',
  description:
    'With `spaceId`, only access to that space is revoked. Affected tokens stop working; a new guest with the same address does not inherit anything.',
  policy: { can: 'guests:write', on: 'guest', at: idPath },
  audit: 'change',
  params,
  query: z.object({ spaceId: scoped('space').optional() }),
  reply: Success,
  errors: ['not-found'],
  example,
})

export const token = endpoint({
  id: 'guests.token',
  method: 'GET',
  path: '/guests/{guestId}/token',
  summary: 'Creates an access token for a guest',
  description:
    'Valid for an hour, for the given space or for all spaces of the guest. It is revoked with the key, personal access token or session it ' +
    'was created with. A guest can request its own token, which continues the current session: that ends 7 days after signing in.',
  policy: { can: 'invitations:write', on: 'guest', at: idPath },
  audit: 'read',
  params,
  query: z.object({ spaceId: scoped('space').optional() }),
  reply: data(z.object({ token: z.string(), valid: z.boolean() })),
  errors: ['not-found', 'forbidden', 'conflict'],
  example: { ...example, query: { spaceId: '{spaceId}' } },
})

export const roles = endpoint({
  id: 'guests.roles',
  method: 'GET',
  path: '/guests/{guestId}/roles',
  summary: "Lists a guest's roles: one for each of its spaces",
  policy: { can: 'guests:read', on: 'guest', at: idPath },
  params,
  reply: list(ActorRole),
  example,
})

export const assignRole = endpoint({
  id: 'guests.assignRole',
  method: 'POST',
  path: '/guests/{guestId}/roles',
  summary: 'Assigns a guest a role on a space',
  description:
    'A guest role on a space grants access to the whole space. To grant access to workbooks, use `PATCH /guests/{guestId}`.',
  policy: { can: 'guests:write', on: 'guest', at: idPath },
  audit: 'change',
  params,
  body: AssignRole,
  reply: data(ActorRole),
  errors: ['not-found', 'conflict'],
  example: { ...example, body: { roleId: 'us_rol_singleSpaceGuest', resourceId: '{spaceId}' } },
})

export const removeRole = endpoint({
  id: 'guests.removeRole',
  method: 'DELETE',
  path: '/guests/{guestId}/roles/{actorRoleId}',
  summary: 'Removes a role and its space from a guest',
  policy: { can: 'guests:write', on: 'guest', at: idPath },
  audit: 'change',
  params: z.object({ guestId: Id, actorRoleId: scoped('actorRole') }),
  reply: Success,
  errors: ['not-found'],
  example: { params: { guestId: '{guestId}', actorRoleId: '{guestRoleId}' } },
})
