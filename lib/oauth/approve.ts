/** Requests of clients, and the codes that users approve. */
import type * as z from 'zod'
import { message } from '../../schemas/messages/index.ts'
import type { describeRequest } from '../../schemas/oauth/endpoints.ts'
import { AGENT_ACCESS, type AgentAccess, CODE_SECONDS } from '../../schemas/oauth/shape.ts'
import { randomText, sha256 } from '../core/crypto.ts'
import { unprocessable } from '../core/errors.ts'
import { OAuthCodes } from '../entities/oauth-codes.ts'
import type { Tx } from '../tx.ts'
import { getIssuer, getMcpAddress, matchesRedirect } from './addresses.ts'
import { type Client, findClient } from './clients.ts'

type AuthorizationRequest = z.output<typeof describeRequest.query>

const CODE_LENGTH = 43

/** @throws ApiError 422. Nothing is sent to an address that the client did not register. */
export async function checkRequest(request: AuthorizationRequest): Promise<Client> {
  const client = await findClient(request.client_id)
  if (!client.redirectUris.some((uri) => matchesRedirect(uri, request.redirect_uri)))
    throw unprocessable(message('access.redirectNotRegistered'))
  if (request.resource !== undefined && request.resource !== getMcpAddress())
    throw unprocessable(message('access.unknownResource', { resource: getMcpAddress() }))
  return client
}

/** The highest known scope; `propose` if the client names none. */
export const getRequestedAccess = ({ scope = '' }: Pick<AuthorizationRequest, 'scope'>): AgentAccess =>
  AGENT_ACCESS.findLast((access) => scope.split(' ').includes(access)) ?? 'propose'

interface Approval {
  accountId: string
  userId: string
  environmentId: string
  access: AgentAccess
}

export function createCode(
  tx: Tx,
  request: AuthorizationRequest & { state?: string | undefined },
  client: Client,
  approval: Approval,
) {
  const code = randomText(CODE_LENGTH)
  tx.write(
    OAuthCodes.create({
      ...approval,
      id: sha256(code),
      clientHash: sha256(request.client_id),
      clientName: client.name,
      redirectUri: request.redirect_uri,
      challenge: request.code_challenge,
      expires: Math.floor(Date.parse(tx.now) / 1000) + CODE_SECONDS,
    }),
  )
  const redirectTo = new URL(request.redirect_uri)
  redirectTo.searchParams.set('code', code)
  redirectTo.searchParams.set('iss', getIssuer())
  if (request.state !== undefined) redirectTo.searchParams.set('state', request.state)
  return redirectTo.href
}
