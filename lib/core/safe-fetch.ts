/** SSRF-safe requests: all addresses of the host must be public, and the connection uses the checked one. */

import { lookup as resolveName } from 'node:dns/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { message } from '../../schemas/messages/index.ts'
import { env } from './env.ts'
import { isAddress, isLoopback, isPublicAddress } from './ip-addresses.ts'

export interface OutboundRequest {
  url: string
  headers: Record<string, string>
  body?: string
  /** Includes name resolution and reading the response. */
  timeoutMs: number
  maxResponseBytes: number
}

export interface OutboundResponse {
  status: number
  type: string
  body: Buffer
}

/** Its message may be shown to the user who chose the address. */
export class OutboundError extends Error {
  constructor(text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'OutboundError'
  }
}

interface Address {
  address: string
  family: number
}
export type Resolve = (host: string) => Promise<Address[]>

const resolveHost: Resolve = (host) => resolveName(host, { all: true, verbatim: true })

export interface OutboundOptions {
  loopback?: boolean
  closedPorts?: readonly number[]
  resolve?: Resolve
}

const isLoopbackAllowed = (): boolean => env().OUTBOUND_LOOPBACK === 'on'
function hasClosedPort(
  { port, protocol }: URL,
  closedPorts = env().OUTBOUND_CLOSED_PORTS as readonly number[],
): boolean {
  return closedPorts.includes(Number(port || (protocol === 'https:' ? 443 : 80)))
}
const PLATFORM_ADDRESS = message('requests.urlOfPlatform')

const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host)
const isLoopbackHost = (host: string): boolean => isLocalName(host) || (isAddress(host) && isLoopback(host))

export function findUrlProblem(
  text: string,
  loopback = isLoopbackAllowed(),
  closedPorts?: readonly number[],
): string | undefined {
  if (!URL.canParse(text)) return message('requests.urlNotValid')
  const url = new URL(text)
  const host = url.hostname
  const isLocal = loopback && isLoopbackHost(host)
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) return message('requests.urlNotHttps')
  if (url.username || url.password) return message('requests.urlWithCredentials')
  if (isLocal) return hasClosedPort(url, closedPorts) ? PLATFORM_ADDRESS : undefined
  if (isLocalName(host) || (isAddress(host) && !isPublicAddress(host))) return message('requests.urlNotPublic')
  return undefined
}

export async function safeFetch(request: OutboundRequest, options: OutboundOptions = {}): Promise<OutboundResponse> {
  const { loopback = isLoopbackAllowed(), closedPorts, resolve = resolveHost } = options
  const problem = findUrlProblem(request.url, loopback, closedPorts)
  if (problem) throw new OutboundError(message('requests.urlRejected', { problem }))
  const url = new URL(request.url)
  const timeout = AbortSignal.timeout(request.timeoutMs)
  try {
    const address = await Promise.race([resolvePublicAddress(url.hostname, loopback, resolve), rejectOnAbort(timeout)])
    if (isLoopback(address.address) && hasClosedPort(url, closedPorts))
      throw new OutboundError(message('requests.urlRejected', { problem: PLATFORM_ADDRESS }))
    return await send(url, address, request, timeout)
  } catch (error) {
    if (error instanceof OutboundError) throw error
    if (timeout.aborted) throw new OutboundError(message('requests.noResponse', { count: request.timeoutMs / 1000 }))
    throw new OutboundError(message('requests.requestFailed', { reason: describeError(error) }), { cause: error })
  }
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

const describeError = (error: unknown): string =>
  (error as { code?: string }).code ?? message('requests.connectionClosed')

/** One non-public address disqualifies the whole host. */
async function resolvePublicAddress(host: string, loopback: boolean, resolve: Resolve): Promise<Address> {
  const name = host.replace(/^\[|\]$/g, '')
  const addresses = isAddress(name)
    ? [{ address: name, family: name.includes(':') ? 6 : 4 }]
    : await resolve(name).catch((error: unknown) => {
        throw new OutboundError(message('requests.hostNotResolved', { host: name }), { cause: error })
      })
  const [first] = addresses
  if (!first) throw new OutboundError(message('requests.hostNotResolved', { host: name }))
  const isAllowed = ({ address }: Address) => isPublicAddress(address) || (loopback && isLoopback(address))
  if (!addresses.every(isAllowed)) throw new OutboundError(message('requests.hostNotPublic'))
  return first
}

function send(
  url: URL,
  checkedAddress: Address,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
      method: request.body === undefined ? 'GET' : 'POST',
      headers: {
        ...request.headers,
        ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
      },
      agent: false,
      signal,
      // Node asks for one or all addresses, depending on its version and options.
      lookup: (_name, { all }, done) =>
        all ? done(null, [checkedAddress] as never) : done(null, checkedAddress.address, checkedAddress.family),
    })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      // The status suffices: an unreadable rest of the body is dropped.
      const finish = () => {
        resolve({
          status: response.statusCode!,
          type: response.headers['content-type'] ?? '',
          body: Buffer.concat(chunks).subarray(0, request.maxResponseBytes),
        })
        outgoing.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= request.maxResponseBytes) finish()
      })
      response.on('end', finish).on('error', finish).on('close', finish)
      outgoing.off('error', reject).on('error', finish)
    })
    outgoing.end(request.body)
  })
}
