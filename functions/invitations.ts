/** Invitations of guests over HTTP. */

import { exchange as exchangeLink, invite } from '../lib/auth/invitations.ts'
import { shownMail } from '../lib/auth/outbox.ts'
import { Invitations } from '../lib/entities/invitations.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as invitations from '../schemas/invitations.ts'
import { success } from '../schemas/page.ts'

export const create = serve(invitations.create)(async ({ body, caller, tx }) => {
  for (const each of body) await invite(tx, caller, each)
  return success
})

export const list = serve(invitations.listed)(async ({ environments, query, caller }) => {
  // A link to a user opens what the user was given: administrators of the account may see it, and no key.
  const users = caller.role === 'administrator' && query.environmentId === undefined ? [caller.accountId] : []
  const places = [...environments.map(({ id }) => id), ...users]
  const all = (await Promise.all(places.map(Invitations.inPlace))).flat()
  const { data, pagination } = pageOf(
    all.sort((a, b) => (a.id < b.id ? 1 : -1)),
    query,
  )
  return { data: data.map(shownMail), pagination }
})

export const exchange = serve(invitations.exchange)(async ({ body }) => ({ data: await exchangeLink(body) }))

export const handler = lambda(create, list, exchange)
