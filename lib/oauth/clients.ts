/** Clients of OAuth. Their id is an encrypted registration, or the address of a metadata document. */

import { message } from '../../schemas/messages/index.ts'
import { MAX_CLIENT_NAME_LENGTH } from '../../schemas/oauth/shape.ts'
import { decrypt, encrypt } from '../core/crypto.ts'
import { unprocessable } from '../core/errors.ts'
import { OutboundError, safeFetch } from '../core/safe-fetch.ts'
import { isRedirectAllowed } from './addresses.ts'

export interface Client {
  name: string
  redirectUris: string[]
}

const CONTEXT = 'oauth-client'
const DOCUMENT_TIMEOUT_MS = 5000
const MAX_DOCUMENT_BYTES = 20_000
const HTTP_OK = 200

export const buildClientId = (client: Client): string => encrypt(JSON.stringify(client), CONTEXT)

/** @throws ApiError 422 for an unknown client */
export async function findClient(id: string): Promise<Client> {
  if (URL.canParse(id)) return fetchClient(id)
  try {
    return JSON.parse(decrypt(id, CONTEXT)) as Client
  } catch {
    throw unprocessable(message('access.unknownClient'))
  }
}

async function fetchClient(url: string): Promise<Client> {
  const reply = await safeFetch({
    url,
    headers: { accept: 'application/json' },
    timeoutMs: DOCUMENT_TIMEOUT_MS,
    maxResponseBytes: MAX_DOCUMENT_BYTES,
  }).catch((error: unknown) => {
    if (error instanceof OutboundError)
      throw unprocessable(message('access.clientNotReachable', { reason: error.message }))
    throw error
  })
  const client = reply.status === HTTP_OK ? parseDocument(url, reply.body.toString('utf8')) : undefined
  if (!client) throw unprocessable(message('access.unknownClient'))
  return client
}

function parseDocument(url: string, text: string): Client | undefined {
  try {
    const { client_id: id, client_name: name, redirect_uris: redirectUris } = JSON.parse(text)
    const isValid =
      id === url &&
      Array.isArray(redirectUris) &&
      redirectUris.every((uri) => typeof uri === 'string' && isRedirectAllowed(uri))
    if (!isValid) return undefined
    const shown = typeof name === 'string' && name.trim() !== '' ? name : new URL(url).hostname
    return { name: shown.slice(0, MAX_CLIENT_NAME_LENGTH), redirectUris }
  } catch {
    return undefined
  }
}
