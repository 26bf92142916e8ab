/** An AI agent that a user connects, by the functions of the official client. */
import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  exchangeAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client'
import { admin, type Caller, environmentId } from './fresh-account.ts'
import { getMcpUrl } from './mcp.ts'

export const REDIRECT = 'http://127.0.0.1:4711/callback'
export const CLIENT = { client_name: 'Editor', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' as const }

export async function discoverServer() {
  const resource = await discoverOAuthProtectedResourceMetadata(getMcpUrl())
  const issuer = resource.authorization_servers![0]!
  const metadata = (await discoverAuthorizationServerMetadata(issuer))!
  return { resource, issuer, metadata }
}

interface Choice {
  access?: string
  environmentId?: string
  clientId?: string
  redirect?: string
  by?: Caller
}

export async function approveClient({
  access = 'write',
  redirect = REDIRECT,
  clientId,
  by = admin,
  ...choice
}: Choice = {}) {
  const { issuer, metadata, resource } = await discoverServer()
  const clientInformation = clientId
    ? { client_id: clientId }
    : await registerClient(issuer, { metadata, clientMetadata: CLIENT })
  const started = await startAuthorization(issuer, {
    metadata,
    clientInformation,
    redirectUrl: redirect,
    resource: new URL(resource.resource),
    state: 'state-1',
    scope: access,
  })
  const { state, ...request } = Object.fromEntries(started.authorizationUrl.searchParams)
  const described = await by('GET', `/oauth/authorize?${new URLSearchParams(request)}`)
  const approved = await by('POST', '/oauth/authorize', { ...request, state, environmentId, access, ...choice })
  const redirectTo = approved.status === 200 ? new URL(approved.body.data.redirectTo) : undefined
  return { ...started, clientInformation, described, approved, redirectTo, issuer, metadata }
}

export type ApprovedClient = Awaited<ReturnType<typeof approveClient>>

export const exchangeCode = ({ issuer, metadata, clientInformation, codeVerifier, redirectTo }: ApprovedClient) =>
  exchangeAuthorization(issuer, {
    metadata,
    clientInformation,
    authorizationCode: redirectTo!.searchParams.get('code')!,
    codeVerifier,
    redirectUri: REDIRECT,
    iss: redirectTo!.searchParams.get('iss')!,
  })

export const connectClient = async (choice: Choice = {}) => exchangeCode(await approveClient(choice))
