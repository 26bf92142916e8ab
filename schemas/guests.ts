/** Guests: customers, who reach the spaces, or the workbooks of a space, that they were given, and nothing else. */
import * as z from 'zod'
import { Empty, SpaceContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Guest, PARTS_PER_GRANT, SPACES_PER_GUEST } from './guest.ts'
import { Id, scoped, Time } from './ids.ts'
import { asRead, maybe } from './optional.ts'
import { data, list, paged, pageQuery, Success } from './page.ts'
import { ActorRole, AssignRole } from './role.ts'
import { topic } from './topic.ts'

/** Guests one request may create: their spaces count too, a transaction holds 100 writes and events. */
export const GUESTS_AT_ONCE = 20

/** Compared without regard to case, kept in lower case. */
export const Email = z
  .string()
  .trim()
  .max(254)
  .transform((text) => text.toLowerCase())
  .pipe(z.email('must be an e-mail address'))

const different = (what: string) => ({
  check: (things: { id: string }[]) => new Set(things.map(({ id }) => id)).size === things.length,
  message: `must name each ${what} once`,
})
const unique = <T extends { id: string }>(shape: z.ZodType<T>, what: string) =>
  z.array(shape).refine(different(what).check, different(what).message)

const parts = (what: 'workbook' | 'sheet') =>
  maybe(
    unique(z.strictObject({ id: scoped(what) }), what)
      .refine((given) => given.length > 0, `must name a ${what}; leave it out to give the whole space`)
      .refine((given) => given.length <= PARTS_PER_GRANT, `may name ${PARTS_PER_GRANT} at most`),
  )

/** Nothing unknown is dropped: what was meant to narrow a grant would leave it wider than its writer thinks. */
const Grant = z
  .strictObject({
    id: scoped('space'),
    /** The guest reaches these workbooks of the space alone. */
    workbooks: parts('workbook'),
    /** The guest reaches these sheets of the space alone, beside the workbooks. */
    sheets: parts('sheet'),
    lastAccessed: asRead(Time),
  })
  .transform(({ lastAccessed: _, ...grant }) => grant)
export type Grant = z.infer<typeof Grant>

const Grants = unique(Grant, 'space').refine(
  (given) => given.length <= SPACES_PER_GUEST,
  `a guest may have ${SPACES_PER_GUEST} spaces`,
)
const Name = z.string().trim().min(1).max(200)

const Config = z.object({ environmentId: scoped('environment'), email: Email, name: Name, spaces: Grants })
export type GuestConfig = z.infer<typeof Config>

export const create = endpoint({
  id: 'guests.create',
  method: 'POST',
  path: '/guests',
  summary: 'Creates guests, or gives more to those there are',
  description:
    'A list, or one guest. There is one guest for each e-mail address in an environment: one that is there keeps what it has and ' +
    'gets the spaces named in addition. Guests may invite others to what they reach themselves, unless `sidebarConfig.showGuestInvite` ' +
    'in the metadata (or settings) of the space, or else in the metadata of the environment, is false, and except guests who came by a ' +
    'shared link, whose address is not proven. To a guest the answer repeats what it sent.',
  policy: { can: 'invitations:write', on: 'environments' },
  audit: 'change',
  body: z.union([z.array(Config).min(1).max(GUESTS_AT_ONCE), Config.transform((one) => [one])]),
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
  summary: 'Lists guests of a space or an environment',
  description:
    'A guest of a whole space sees by `spaceId` who else has it, unless `sidebarConfig.showGuests` in the metadata (or settings) of ' +
    'the space, or else in the metadata of the environment, is false; otherwise itself alone.',
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
const at = 'params.guestId'
const example = { params: { guestId: '{guestId}' } }

export const get = endpoint({
  id: 'guests.get',
  method: 'GET',
  path: '/guests/{guestId}',
  summary: 'Reads a guest',
  policy: { can: 'guests:read', on: 'guest', at },
  params,
  reply: data(Guest),
  example,
})

export const update = endpoint({
  id: 'guests.update',
  method: 'PATCH',
  path: '/guests/{guestId}',
  summary: 'Changes a guest',
  description: '`spaces` stands for all of them: what it does not name is taken away, at once.',
  policy: { can: 'guests:write', on: 'guest', at },
  audit: 'change',
  params,
  body: z.object({
    environmentId: maybe(scoped('environment')),
    email: maybe(Email),
    name: maybe(Name),
    spaces: maybe(Grants),
  }),
  reply: data(Guest),
  errors: ['not-found', 'conflict'],
  example: { ...example, body: { name: 'Grace Hopper' } },
})

export const remove = endpoint({
  id: 'guests.remove',
  method: 'DELETE',
  path: '/guests/{guestId}',
  summary: 'Deletes a guest, or takes one space from it',
  description:
    'With `spaceId` the guest loses that space alone. Its tokens end with what it lost; a new guest of the same address has nothing of it.',
  policy: { can: 'guests:write', on: 'guest', at },
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
  summary: 'Makes an access token of a guest',
  description:
    'Valid for an hour: in the space named, or in every space the guest has. It ends with the key, personal access token or session it ' +
    'was made with. A guest may ask for its own, which goes on with the session it has: that ends 7 days after it came in.',
  policy: { can: 'invitations:write', on: 'guest', at },
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
  summary: "Lists a guest's roles: one for each space it has",
  policy: { can: 'guests:read', on: 'guest', at },
  params,
  reply: list(ActorRole),
  example,
})

export const assignRole = endpoint({
  id: 'guests.assignRole',
  method: 'POST',
  path: '/guests/{guestId}/roles',
  summary: 'Gives a guest a space',
  description:
    'A role of guests on a space: the guest then has the whole of it. Workbooks are given by `PATCH /guests/{guestId}`.',
  policy: { can: 'guests:write', on: 'guest', at },
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
  summary: 'Takes the space of a role from a guest',
  policy: { can: 'guests:write', on: 'guest', at },
  audit: 'change',
  params: z.object({ guestId: Id, actorRoleId: scoped('actorRole') }),
  reply: Success,
  errors: ['not-found'],
  example: { params: { guestId: '{guestId}', actorRoleId: '{guestRoleId}' } },
})

export const guestAdded = topic('space:guestAdded', {
  when: 'a guest is given a space',
  payload: Empty,
  context: SpaceContext,
})
export const guestRemoved = topic('space:guestRemoved', {
  when: 'a guest loses a space, or is deleted',
  payload: Empty,
  context: SpaceContext,
})
