/** Endpoints of invitations: magic links by mail, and links shared by the guests of a space. */
import * as z from 'zod'
import { Email } from '../guests/shape.ts'
import { endpoint } from '../kit/endpoint.ts'
import { scoped, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, paged, pageQuery, Success } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import { Invitation, MAGIC_LINK_MINUTES, MAIL_RETENTION_DAYS } from './shape.ts'

/** A line break would inject another mail header. */
const SingleLine = z
  .string()
  .trim()
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: validators of documents that know no \p{Cc} read this
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, message('access.oneLine'))

const Invite = z.object({
  guestId: scoped('guest'),
  spaceId: scoped('space'),
  fromName: nullish(SingleLine),
  message: nullish(z.string().max(2000)),
})
export type Invite = z.infer<typeof Invite>

export const create = endpoint({
  id: 'invitations.create',
  method: 'POST',
  path: '/invitations',
  summary: 'Invites guests by mail, each with a link to the space',
  description:
    'The guest must already have access to the space. If `guestAuthentication` of the space is `magic_link`, the link works once, within ' +
    `${MAGIC_LINK_MINUTES} minutes; if it is \`shared_link\`, the mail contains the link of the space, which works with the guest's address.`,
  policy: { can: 'invitations:write', on: 'environments' },
  audit: 'change',
  body: z.union([z.array(Invite).min(1).max(20), Invite.transform((invite) => [invite])]),
  reply: Success,
  errors: ['not-found', 'forbidden', 'conflict'],
  example: { body: [{ guestId: '{guestId}', spaceId: '{spaceId}', fromName: 'Ada', message: 'Please have a look.' }] },
})

export const listed = endpoint({
  id: 'invitations.list',
  method: 'GET',
  path: '/invitations',
  summary: 'Lists the mails to guests and users, newest first',
  description:
    'This is the outbox: if the deployment does not send mail itself, your own service reads it here. Sent mails have no text. Mails to ' +
    `users are visible to administrators of the account, if no environment is given. Mails are stored for ${MAIL_RETENTION_DAYS} days.`,
  policy: { can: 'invitations:read', on: 'environments', at: 'query.environmentId', optional: true },
  audit: 'read',
  query: z.object({ environmentId: scoped('environment').optional(), ...pageQuery(20) }),
  reply: paged(Invitation),
  example: { query: { environmentId: '{environmentId}' } },
})

const Exchange = z
  .object({
    token: nullish(z.string().min(1).max(1000)),
    email: nullish(Email),
    spaceId: nullish(unscoped('the caller is not authenticated yet: the token or the invited address opens the space')),
  })
  .refine(({ token, email, spaceId }) => token !== undefined || (email !== undefined && spaceId !== undefined), {
    path: ['token'],
    message: message('access.invitationToken'),
  })
export type Exchange = z.infer<typeof Exchange>

export const exchange = endpoint({
  id: 'invitations.exchange',
  method: 'POST',
  path: '/invitations/exchange',
  summary: 'Exchanges a link for an access token, or asks for a new link',
  description:
    'With the `token` of a magic link: returns `{valid, token}`; the access token opens every space the guest has. With the `token` of a shared ' +
    'link and an `email` that has access to the space: the same, but the access token opens only this space, because the address is not ' +
    'verified. With `email` and `spaceId`: sends a mail with a new magic link, at most one per minute, to this space or, if it uses a shared ' +
    'link, to another space of the guest. The response does not reveal whether the guest or the space exists.',
  policy: { public: true },
  body: Exchange,
  reply: data(
    z.object({
      valid: z.boolean(),
      token: z.string().optional(),
      sentTo: z.string().optional(),
    }),
  ),
  example: { body: { email: 'guest@example.com', spaceId: '{spaceId}' } },
})
