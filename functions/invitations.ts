import { redeemLink as exchangeLink, inviteGuest } from '../lib/auth/invitations.ts'
import { Invitations } from '../lib/entities/invitations.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { serializeMail } from '../lib/mail/outbox.ts'
import * as invitations from '../schemas/invitations/endpoints.ts'
import { success } from '../schemas/kit/page.ts'

export const create = serve(invitations.create)(async ({ body, caller, tx }) => {
  for (const config of body) await inviteGuest(tx, caller, config)
  return success
})

export const list = serve(invitations.listed)(async ({ environments, query, caller }) => {
  // A user's link grants the user's access, so only administrators see it.
  const accountScope = caller.role === 'administrator' && query.environmentId === undefined ? [caller.accountId] : []
  const scopes = [...environments.map(({ id }) => id), ...accountScope]
  const invitations = (await Promise.all(scopes.map(Invitations.inPlace))).flat()
  const { data, pagination } = paginate(
    invitations.sort((a, b) => (a.id < b.id ? 1 : -1)),
    query,
  )
  return { data: data.map(serializeMail), pagination }
})

export const exchange = serve(invitations.exchange)(async ({ body }) => ({ data: await exchangeLink(body) }))

export const handler = lambda(create, list, exchange)
