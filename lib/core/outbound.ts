/**
 * Requests to addresses that users chose. The host is resolved once, every address it has must be public, and the
 * connection is made to the one that was looked at, so that a name cannot mean another place a moment later. HTTPS only,
 * redirects are answers like others, time and bytes are bounded.
 */
import { lookup as resolveName } from 'node:dns/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { isAddress, isLoopback, isPublic } from './addresses.ts'
import { env } from './env.ts'

export interface OutboundRequest {
  url: string
  headers: Record<string, string>
  /** Posted; without one the request is a GET. */
  body?: string
  /** For everything together, from the name to the end of the answer. */
  timeoutMs: number
  /** Of the answer no more is read. */
  answerBytes: number
}

export interface OutboundAnswer {
  status: number
  /** Its content type; empty when it has none. */
  type: string
  /** Its beginning. */
  body: Buffer
}

/** The request came to no answer; the message is fit for the user who chose the address. */
export class OutboundError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutboundError'
  }
}

interface Address {
  address: string
  family: number
}
/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<Address[]>

const resolveAll: Resolve = (host) => resolveName(host, { all: true, verbatim: true })

export interface OutboundOptions {
  /** May requests go to this machine itself, also over plain HTTP? The deployment's setting by default. */
  loopback?: boolean
  /** Ports of this machine that they may not go to. The deployment's setting by default. */
  closedPorts?: readonly number[]
  resolve?: Resolve
}

const loopbackAllowed = (): boolean => env().OUTBOUND_LOOPBACK === 'on'
/** Does a URL of this machine name a port that is closed to it? */
function hasClosedPort(
  { port, protocol }: URL,
  closedPorts = env().OUTBOUND_CLOSED_PORTS as readonly number[],
): boolean {
  return closedPorts.includes(Number(port || (protocol === 'https:' ? 443 : 80)))
}
const OWN_PORT = 'must not be an address of the platform itself'

const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host)
const namesLoopback = (host: string): boolean => isLocalName(host) || (isAddress(host) && isLoopback(host))

/** Why no request may go there, as far as the text tells; undefined for a URL that may. */
export function urlProblem(
  text: string,
  loopback = loopbackAllowed(),
  closedPorts?: readonly number[],
): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  const host = url.hostname
  const local = loopback && namesLoopback(host)
  if (url.protocol !== 'https:' && !(local && url.protocol === 'http:')) return 'must begin with https://'
  if (url.username || url.password) return 'must not have a user name or a password'
  if (local) return hasClosedPort(url, closedPorts) ? OWN_PORT : undefined
  if (isLocalName(host) || (isAddress(host) && !isPublic(host))) return 'must be an address on the internet'
  return undefined
}

/**
 * Makes the request. Any status is an answer.
 * @throws OutboundError when the URL may not be used or no answer came in time
 */
export async function ask(request: OutboundRequest, options: OutboundOptions = {}): Promise<OutboundAnswer> {
  const { loopback = loopbackAllowed(), closedPorts, resolve = resolveAll } = options
  const problem = urlProblem(request.url, loopback, closedPorts)
  if (problem) throw new OutboundError(`The URL ${problem}.`)
  const url = new URL(request.url)
  const timeout = AbortSignal.timeout(request.timeoutMs)
  try {
    const address = await Promise.race([reachable(url.hostname, loopback, resolve), ended(timeout)])
    if (isLoopback(address.address) && hasClosedPort(url, closedPorts)) throw new OutboundError(`The URL ${OWN_PORT}.`)
    return await send(url, address, request, timeout)
  } catch (error) {
    if (error instanceof OutboundError) throw error
    if (timeout.aborted) throw new OutboundError(`There was no answer within ${request.timeoutMs / 1000} s.`)
    throw new OutboundError(`The request failed: ${reasonOf(error)}.`, { cause: error })
  }
}

const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

/** Error codes of the system and of TLS say enough, and nothing of the inside. */
const reasonOf = (error: unknown): string => (error as { code?: string }).code ?? 'the connection broke'

/** The address to connect to. One that is not public among them makes the host suspicious as a whole. */
async function reachable(host: string, loopback: boolean, resolve: Resolve): Promise<Address> {
  const name = host.replace(/^\[|\]$/g, '')
  const addresses = isAddress(name)
    ? [{ address: name, family: name.includes(':') ? 6 : 4 }]
    : await resolve(name).catch((error: unknown) => {
        throw new OutboundError(`The host ${name} has no address.`, { cause: error })
      })
  const [first] = addresses
  if (!first) throw new OutboundError(`The host ${name} has no address.`)
  const allowed = ({ address }: Address) => isPublic(address) || (loopback && isLoopback(address))
  if (!addresses.every(allowed)) throw new OutboundError('The host is not on the internet.')
  return first
}

function send(url: URL, pinned: Address, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
      method: request.body === undefined ? 'GET' : 'POST',
      headers: {
        ...request.headers,
        ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
      },
      agent: false,
      signal,
      // Node asks for one address or for all, depending on its version and options.
      lookup: (_name, { all }, done) =>
        all ? done(null, [pinned] as never) : done(null, pinned.address, pinned.family),
    })
    outgoing.on('error', reject)
    outgoing.on('response', (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      // The status is the answer: what cannot be read of its body is left out.
      const done = () => {
        resolve({
          status: answer.statusCode!,
          type: answer.headers['content-type'] ?? '',
          body: Buffer.concat(chunks).subarray(0, request.answerBytes),
        })
        outgoing.destroy()
      }
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= request.answerBytes) done()
      })
      answer.on('end', done).on('error', done).on('close', done)
      outgoing.off('error', reject).on('error', done)
    })
    outgoing.end(request.body)
  })
}
