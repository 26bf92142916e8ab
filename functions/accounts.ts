/** Accounts over HTTP. */

import { lambda, serve } from '../lib/http/serve.ts'
import * as accounts from '../schemas/accounts.ts'

export const current = serve(accounts.current)(async ({ account }) => ({ data: account }))

export const entitlements = serve(accounts.entitlements)(async () => ({ data: [] }))

export const handler = lambda(current, entitlements)
