/**
 * The steps every endpoint goes through: authenticate (401) and count (429), parse the place (400), authorise and load (404,
 * 403), parse the body (400, every problem at once), look whether it was done already (409, 422), begin, work, note in the
 * audit log, commit (409), respond. Knows no endpoint.
 */
import * as z from 'zod'
import type { Scope } from '../../schemas/access.ts'
import type { Contract, Policy } from '../../schemas/endpoint.ts'
import { NOT_VALID, plainMessage } from '../../schemas/messages.ts'
import { refuseForeignOrigin } from '../auth/origins.ts'
import { authenticate, type Principal, permitted } from '../auth/principal.ts'
import { type Loaded, loadScope, readAhead } from '../auth/scopes.ts'
import type { Subscription } from '../auth/subscription.ts'
import { ApiError, forbidden, forbiddenTo, invalid, unauthenticated } from '../core/errors.ts'
import { onDemand } from '../core/on-demand.ts'
import { begin, type Tx } from '../tx.ts'
import { addressOf } from './address.ts'
import { spelledFor } from './dialect.ts'
import type { Repeatable } from './idempotency.ts'
import { admitAddress, admitCaller } from './rates.ts'
import type { Request } from './request.ts'
import { Bytes, jsonReply } from './respond.ts'
import { slipsIn } from './slips.ts'

z.config({ localeError: plainMessage })

type Guarded = Extract<Policy, { on: Scope }>
type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined
type Handed<P> = P extends { on: infer S extends Scope; optional: true }
  ? S extends 'environment' | 'environments'
    ? Pick<Loaded, S>
    : Partial<Pick<Loaded, S>>
  : P extends { on: infer S extends Scope }
    ? Pick<Loaded, S>
    : P extends { subscription: true }
      ? { subscription: Subscription }
      : unknown

/** What a handler receives: the parsed request, the caller, the unit of work, and the thing its policy guards. */
export type Input<C extends Contract> = {
  params: Parsed<C['params']>
  query: Parsed<C['query']>
  body: Parsed<C['body']>
  request: Request
} & (C['policy'] extends { on: Scope } ? { caller: Principal; tx: Tx } : unknown) &
  Handed<C['policy']>

/** What a handler gives: the reply by its contract, or ready bytes. */
export type Output<C extends Contract> = C['reply'] extends z.ZodType ? z.input<C['reply']> | Bytes : Bytes

export type Work<C extends Contract> = (input: Input<C>) => Promise<Output<C>>

export async function run<C extends Contract>(contract: C, work: Work<C>, request: Request): Promise<Bytes> {
  const { policy } = contract
  const { caller, ahead } = 'on' in policy ? await identify(request, policy) : {}
  const rate = caller && (await admitCaller(caller))
  const place = parse(request, ['params', contract.params, request.params], ['query', contract.query, request.query])
  // The place is missing in the body: whatever else is wrong with it is reported in the same answer.
  if ('on' in policy && (await lacksPlace(policy, request))) await parseBody(contract, request)
  const handed = 'on' in policy ? await authorise(policy, caller!, request, ahead) : await admit(policy, request)
  const body = await parseBody(contract, request)
  const given = { ...place, body, request, caller, ...handed }
  const key = contract.method === 'POST' ? request.headers['idempotency-key'] : undefined
  const once = caller && key !== undefined ? await repeatableBy(caller, key, request) : undefined
  const reply = once?.answer ?? (await perform(contract, work, given, once))
  return withHeaders(reply, rate)
}

/** Begins, works and commits; of a request under a key the answer is kept with what it does. */
async function perform<C extends Contract>(
  contract: C,
  work: Work<C>,
  given: { request: Request; caller?: Principal | undefined },
  once?: Repeatable,
): Promise<Bytes> {
  const { caller, request } = given
  const tx = caller && begin({ accountId: caller.accountId, actorId: caller.actorId })
  try {
    const output = await work({ ...given, tx } as unknown as Input<C>)
    const reply = output instanceof Bytes ? output : encode(contract, output, request)
    if (tx && contract.audit) (await rarely()).note(tx, contract, { ...given, caller }, output)
    if (tx) await once?.keep(tx, reply, contract.secrets)
    await tx?.commit()
    return reply
  } catch (error) {
    await once?.giveUp()
    throw error
  }
}

/** Few requests carry a key, few are noted. */
const rarely = onDemand(() => import('./rarely.ts'))

async function repeatableBy(caller: Principal, key: string, request: Request): Promise<Repeatable | undefined> {
  const { mayRepeat, repeatable } = await rarely()
  return mayRepeat(caller) ? repeatable(caller, key, request) : undefined
}

const withHeaders = (reply: Bytes, more: Record<string, string> = {}): Bytes =>
  new Bytes(reply.body, { ...reply.headers, ...more }, reply.status)

interface Identified {
  caller: Principal
  /** What the policy guards, where its reading began with the caller's own. */
  ahead: Promise<unknown> | undefined
}

async function identify(request: Request, policy: Guarded): Promise<Identified> {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ')
  const bearer = scheme?.toLowerCase() === 'bearer' && value
  let ahead: Promise<unknown> | undefined
  const caller = bearer
    ? await authenticate(bearer, () => {
        ahead = begun(policy, request)
      })
    : await byPublishableKey(policy, request)
  if (!caller) {
    await admitAddress(addressOf(request))
    throw unauthenticated(reasonRefused(request.headers.authorization, bearer))
  }
  // A frame of the platform sends its own origin, and names the page that holds it.
  const { origin, 'x-embedded-in': embedder } = request.headers
  for (const page of new Set([origin, embedder])) if (page) await refuseForeignOrigin(caller, page)
  return { caller, ahead }
}

/** What is wrong with the header in general; nothing of why a token is not accepted. */
function reasonRefused(authorization: string | undefined, bearer: string | false | undefined): string | undefined {
  if (bearer) return undefined
  return authorization
    ? 'The header Authorization has no bearer token: send `Authorization: Bearer <token>`.'
    : 'The header Authorization is missing: send `Authorization: Bearer <token>`.'
}

/** Begins to read what the policy guards, if the request's address names it. */
function begun({ on, at }: Guarded, { params, query }: Request): Promise<unknown> | undefined {
  const [source, name = ''] = at?.split('.') ?? []
  const id = source === 'params' ? params[name] : source === 'query' ? query[name] : undefined
  return id && typeof id === 'string' ? readAhead(on, id) : undefined
}

/** Addresses are written down on the way: no other key may stand in one. */
async function byPublishableKey({ key }: Guarded, request: Request): Promise<Principal | undefined> {
  const value = key && (await readAt(key, request))
  const principal = value ? await authenticate(value) : undefined
  return principal?.role === 'publishable' ? principal : undefined
}

const subscriptions = onDemand(() => import('../auth/subscription.ts'))

/** Lets in who needs no bearer: everybody, or the holder of a token for the channel the path names. */
async function admit(policy: Exclude<Policy, Guarded>, request: Request): Promise<Record<string, unknown>> {
  if ('public' in policy) {
    await admitAddress(addressOf(request))
    return {}
  }
  const { auth } = request.query
  const { channelName, subscriptionOf } = await subscriptions()
  const subscription = typeof auth === 'string' ? await subscriptionOf(auth) : undefined
  if (!subscription || channelName(subscription.channel) !== request.params.channel)
    throw forbidden('The subscription token is missing, expired, revoked or for another channel: ask for a new one.')
  return { subscription }
}

/**
 * Loads what the policy guards first: a thing the caller cannot know of is a 404 even where the caller may do nothing.
 * Hands over the caller as far as it may do this: whatever the handler loads or lists with it, it may do it there too.
 */
async function authorise(
  policy: Guarded,
  caller: Principal,
  request: Request,
  ahead: Promise<unknown> | undefined,
): Promise<Record<string, unknown>> {
  const id = policy.at ? await readAt(policy.at, request) : undefined
  const absent = id === undefined && policy.optional && policy.on !== 'environment' && policy.on !== 'environments'
  const load = async (by: Principal) => (absent ? {} : { [policy.on]: await loadScope(policy.on, by, id, ahead) })
  const allowed = permitted(caller, policy.can, policy.on)
  const handed = allowed && (await load(allowed).catch(unlessNarrowed(allowed !== caller)))
  if (handed) {
    if (policy.outsideBrowsers) refuseBrowsers(caller, request)
    if (policy.guests === 'own') refuseOthers(caller, policy.on, handed)
    return { ...handed, caller: allowed }
  }
  await load(caller)
  throw forbiddenTo(policy.can)
}

/** Does the body not say what the policy guards, although it must? */
const lacksPlace = async ({ on, at, optional }: Guarded, request: Request): Promise<boolean> =>
  at?.startsWith('body.') === true &&
  !optional &&
  on !== 'environment' &&
  on !== 'environments' &&
  (await readAt(at, request)) === undefined

/** Headers of browsers. `Sec-Fetch-Mode` is not among them: Node's fetch sends it too. */
const OF_BROWSERS = ['origin', 'referer', 'cookie', 'sec-fetch-site', 'sec-fetch-dest']

/** @throws 403 where an address that somebody else made may have caused the request */
function refuseBrowsers({ role, tokenId }: Principal, { headers, event }: Request): void {
  const byKey = role === 'environment' || role === 'agent' || tokenId !== undefined
  const byBrowser = OF_BROWSERS.some((name) => headers[name] !== undefined) || (event.cookies ?? []).length > 0
  if (!byKey || byBrowser)
    throw forbidden(
      'This GET changes state and is for published clients with a key or token. Send it as a POST instead.',
    )
}

/** Guests may not change what others created, although they can read it. */
function refuseOthers({ grants, actorId }: Principal, scope: Scope, handed: Record<string, unknown>): void {
  const { createdBy } = handed[scope] as { createdBy?: string }
  if (grants && createdBy !== actorId)
    throw forbidden(`This ${scope} was created by somebody else: guests may change only what they created themselves.`)
}

/** What is hidden from one who may do this elsewhere may be known to it by another of its roles. */
const unlessNarrowed = (narrowed: boolean) => (error: unknown) => {
  if (!narrowed || !(error instanceof ApiError && error.code === 'not-found')) throw error
  return undefined
}

async function readAt(at: NonNullable<Guarded['at']>, request: Request): Promise<string | undefined> {
  const [source, ...path] = at.split('.')
  let value: unknown = source === 'params' ? request.params : source === 'query' ? request.query : await request.json()
  for (const key of path)
    value = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Parses several parts of the request and reports the problems of all of them together. */
function parse(
  { headers }: Request,
  ...parts: [name: string, shape: z.ZodType | undefined, value: unknown][]
): Record<string, unknown> {
  const results = parts.map(([name, shape, value]) => ({ name, result: shape?.safeParse(value) }))
  const problems = [
    ...results.flatMap(({ name, result }) => (result && !result.success ? problemsOf(result.error, name) : [])),
    ...(isPublicClient(headers) ? [] : parts.flatMap(([, shape, value]) => slipsIn(shape, value))),
  ]
  if (problems.length > 0) throw invalid(problems)
  return Object.fromEntries(results.map(({ name, result }) => [name, result?.data]))
}

/** Published clients have always sent what they send: the SDK names itself, and the listener sends this header with each call. */
const isPublicClient = (headers: Request['headers']): boolean =>
  headers['x-fern-sdk-name'] !== undefined || headers['x-disable-hooks'] !== undefined

const problemsOf = (error: z.ZodError, part: string) =>
  flatten(error.issues).map((issue) => ({ key: issue.path.map(String).join('.') || part, message: issue.message }))

/**
 * A union's own message says nothing, unless it was given one: the problems of its closest member do. A member that fits
 * but for what is inside it is closer than one of another type.
 */
function flatten(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
    const far = (member: readonly z.core.$ZodIssue[]) => (member.some(({ path }) => path.length === 0) ? 1 : 0)
    const closest = issue.errors.reduce((best, next) =>
      (far(next) - far(best) || next.length - best.length) < 0 ? next : best,
    )
    if (far(closest) && issue.message !== NOT_VALID) return [issue]
    return flatten(closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })))
  })
}

async function parseBody(contract: Contract, request: Request): Promise<unknown> {
  if (!contract.body || (contract.bodyType ?? 'json') !== 'json') return undefined
  const value = await request.json()
  if (value === undefined && contract.bodyOptional) return undefined
  if (value === undefined) throw invalid([{ key: 'body', message: 'is missing' }])
  return parse(request, ['body', contract.body, value]).body
}

/** The reply by its contract's shape: what the shape does not name does not leave. */
function encode(contract: Contract, output: unknown, request: Request): Bytes {
  const body = contract.reply === 'bytes' ? output : contract.reply.parse(output)
  return jsonReply(spelledFor(request.headers, body))
}
