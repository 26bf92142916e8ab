/** Invitations: how guests come in, by a magic link in a mail or by a link that the guests of a space share. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { Email } from './guests.ts'
import { free, scoped } from './ids.ts'
import { Invitation, MAGIC_LINK_MINUTES, MAIL_DAYS } from './invitation.ts'
import { maybe } from './optional.ts'
import { data, paged, pageQuery, Success } from './page.ts'

/** One line of a mail: what ends a line would begin another header. */
const Line = z
  .string()
  .trim()
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: validators of documents that know no \p{Cc} read this
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must be one line')

const Invite = z.object({
  guestId: scoped('guest'),
  spaceId: scoped('space'),
  /** Who invites, as the mail tells it. */
  fromName: maybe(Line),
  message: maybe(z.string().max(2000)),
})
export type Invite = z.infer<typeof Invite>

export const create = endpoint({
  id: 'invitations.create',
  method: 'POST',
  path: '/invitations',
  summary: 'Invites guests: each gets a mail with a link',
  description:
    'The guest must have the space already. Where `guestAuthentication` of the space is `magic_link`, the link works once, within ' +
    `${MAGIC_LINK_MINUTES} minutes; where it is \`shared_link\`, it is the link of the space, which works with the guest's address.`,
  policy: { can: 'invitations:write', on: 'environments' },
  audit: 'change',
  body: z.union([z.array(Invite).min(1).max(20), Invite.transform((one) => [one])]),
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
    'The outbox: where the deployment sends no mail itself, whoever does reads it here; mails that were sent have no text. Mails to ' +
    `users are shown to administrators of the account, where no environment is named. Mails are kept for ${MAIL_DAYS} days.`,
  policy: { can: 'invitations:read', on: 'environments', at: 'query.environmentId', optional: true },
  audit: 'read',
  query: z.object({ environmentId: scoped('environment').optional(), ...pageQuery(20) }),
  reply: paged(Invitation),
  example: { query: { environmentId: '{environmentId}' } },
})

const Exchange = z
  .object({
    /** Of a magic link, or of a shared link with the guest's `email`. */
    token: maybe(z.string().min(1).max(1000)),
    email: maybe(Email),
    spaceId: maybe(free('nobody is known yet: the token or the invited address opens the space')),
  })
  .refine(({ token, email, spaceId }) => token !== undefined || (email !== undefined && spaceId !== undefined), {
    path: ['token'],
    message: 'is required, or email and spaceId',
  })
export type Exchange = z.infer<typeof Exchange>

export const exchange = endpoint({
  id: 'invitations.exchange',
  method: 'POST',
  path: '/invitations/exchange',
  summary: 'Exchanges a link for an access token, or asks for a new link',
  description:
    'With the `token` of a magic link: `{valid, token}`; the access token opens every space the guest has. With the `token` of a shared ' +
    'link and an `email` that was given the space: the same, and the access token opens this space alone, because the address is not ' +
    'proven. With `email` and `spaceId`: a mail with a new magic link, at most one a minute, to this space or, where it has a shared ' +
    'link, to another one of the guest; the answer is the same whether there is such a guest or space or not.',
  policy: { public: true },
  body: Exchange,
  reply: data(
    z.object({
      valid: z.boolean(),
      /** A guest's access token, valid for an hour. */
      token: z.string().optional(),
      /** Where the mail goes, if this address has the space. */
      sentTo: z.string().optional(),
    }),
  ),
  example: { body: { email: 'guest@example.com', spaceId: '{spaceId}' } },
})
