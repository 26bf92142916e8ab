/** Invitations of guests over HTTP. */

import { exchange as exchangeLink, invite, shownInvitation } from '../lib/auth/invitations.ts'
import { Invitations } from '../lib/entities/invitations.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as invitations from '../schemas/invitations.ts'
import { success } from '../schemas/page.ts'

export const create = serve(invitations.create)(async ({ body, caller, tx }) => {
  for (const each of body) await invite(tx, caller, each)
  return success
})

export const list = serve(invitations.listed)(async ({ environments, query }) => {
  const all = (await Promise.all(environments.map(({ id }) => Invitations.inEnvironment(id)))).flat()
  const { data, pagination } = pageOf(
    all.sort((a, b) => (a.id < b.id ? 1 : -1)),
    query,
  )
  return { data: data.map(shownInvitation), pagination }
})

export const exchange = serve(invitations.exchange)(async ({ body }) => ({ data: await exchangeLink(body) }))

export const handler = lambda(create, list, exchange)
