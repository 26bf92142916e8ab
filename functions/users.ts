/** Users over HTTP. */

import { Users } from '../lib/entities/users.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as users from '../schemas/users.ts'

export const list = serve(users.list)(async ({ account, query }) => {
  const all = await Users.list('inAccount', { accountId: account.id })
  const search = query.search?.toLowerCase()
  const found = all.filter(
    ({ email, name }) =>
      (!query.email || email === query.email.toLowerCase()) &&
      (!search || email.includes(search) || name.toLowerCase().includes(search)),
  )
  return pageOf(found, query)
})

export const get = serve(users.get)(async ({ user }) => ({ data: user }))

export const handler = lambda(list, get)
