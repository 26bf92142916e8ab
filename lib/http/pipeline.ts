/**
 * The steps of every endpoint: authenticate, rate limit, parse, authorize, check idempotency, run, audit, commit,
 * respond.
 */

import * as z from 'zod'
import type { Scope } from '../../schemas/access.ts'
import type { Contract, Policy } from '../../schemas/endpoint.ts'
import { message } from '../../schemas/messages/index.ts'
import { formatIssue, NOT_VALID } from '../../schemas/shape-messages.ts'
import { loadScope, prefetch, type ScopeResources } from '../auth/load-resource.ts'
import { assertOriginAllowed } from '../auth/origins.ts'
import { authenticate, type Principal, restrictTo } from '../auth/principal.ts'
import type { Subscription } from '../auth/subscription.ts'
import { ApiError, forbidden, invalid, missingPermission, unauthenticated } from '../core/errors.ts'
import { lazy } from '../core/lazy.ts'
import { begin, type Tx } from '../tx.ts'
import { getClientAddress } from './address.ts'
import type { IdempotentRequest } from './idempotency.ts'
import { admitAddress, admitCaller } from './rate-limit.ts'
import type { Request } from './request.ts'
import { Bytes, jsonReply } from './response.ts'
import { formatFor } from './sdk-compat.ts'
import { findTypos } from './typos.ts'

z.config({ localeError: formatIssue })

type GuardedPolicy = Extract<Policy, { on: Scope }>
type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined
type PolicyContext<P> = P extends { on: infer S extends Scope; optional: true }
  ? S extends 'environment' | 'environments'
    ? Pick<ScopeResources, S>
    : Partial<Pick<ScopeResources, S>>
  : P extends { on: infer S extends Scope }
    ? Pick<ScopeResources, S>
    : P extends { subscription: true }
      ? { subscription: Subscription }
      : unknown

export type Input<C extends Contract> = {
  params: Parsed<C['params']>
  query: Parsed<C['query']>
  body: Parsed<C['body']>
  request: Request
} & (C['policy'] extends { on: Scope } ? { caller: Principal; tx: Tx } : unknown) &
  PolicyContext<C['policy']>

export type Output<C extends Contract> = C['reply'] extends z.ZodType ? z.input<C['reply']> | Bytes : Bytes

export type Work<C extends Contract> = (input: Input<C>) => Promise<Output<C>>

export async function run<C extends Contract>(contract: C, work: Work<C>, request: Request): Promise<Bytes> {
  const { policy } = contract
  const { caller, prefetched } = 'on' in policy ? await identify(request, policy) : {}
  const rateHeaders = caller && (await admitCaller(caller))
  const target = parse(request, ['params', contract.params, request.params], ['query', contract.query, request.query])
  // The target is missing in the body: report the body's other problems, too.
  if ('on' in policy && (await isTargetMissing(policy, request))) await parseBody(contract, request)
  const loaded =
    'on' in policy ? await authorize(policy, caller!, request, prefetched) : await admitUnauthenticated(policy, request)
  const body = await parseBody(contract, request)
  const input = { ...target, body, request, caller, ...loaded }
  const key = contract.method === 'POST' ? request.headers['idempotency-key'] : undefined
  const idempotent = caller && key !== undefined ? await claimKey(caller, key, request) : undefined
  const reply = idempotent?.reply ?? (await execute(contract, work, input, idempotent))
  return withHeaders(reply, rateHeaders)
}

async function execute<C extends Contract>(
  contract: C,
  work: Work<C>,
  input: { request: Request; caller?: Principal | undefined },
  idempotent?: IdempotentRequest,
): Promise<Bytes> {
  const { caller, request } = input
  const tx = caller && begin({ accountId: caller.accountId, actorId: caller.actorId })
  try {
    const output = await work({ ...input, tx } as unknown as Input<C>)
    const reply = output instanceof Bytes ? output : encodeReply(contract, output, request)
    if (tx && contract.audit) (await loadAudit()).recordAudit(tx, contract, { ...input, caller }, output)
    if (tx) await idempotent?.saveReply(tx, reply, contract.secrets)
    await tx?.commit()
    return reply
  } catch (error) {
    await idempotent?.abandon()
    throw error
  }
}

const loadAudit = lazy(() => import('./audit.ts'))
const loadIdempotency = lazy(() => import('./idempotency.ts'))

async function claimKey(caller: Principal, key: string, request: Request): Promise<IdempotentRequest | undefined> {
  const { canUseIdempotencyKey, claimIdempotencyKey } = await loadIdempotency()
  return canUseIdempotencyKey(caller) ? claimIdempotencyKey(caller, key, request) : undefined
}

const withHeaders = (reply: Bytes, extraHeaders: Record<string, string> = {}): Bytes =>
  new Bytes(reply.body, { ...reply.headers, ...extraHeaders }, reply.status)

interface Identification {
  caller: Principal
  prefetched: Promise<unknown> | undefined
}

async function identify(request: Request, policy: GuardedPolicy): Promise<Identification> {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ')
  const bearer = scheme?.toLowerCase() === 'bearer' && value
  let prefetched: Promise<unknown> | undefined
  const caller = bearer
    ? await authenticate(bearer, () => {
        prefetched = startPrefetch(policy, request)
      })
    : await authenticatePublishableKey(policy, request)
  if (!caller) {
    await admitAddress(getClientAddress(request))
    throw unauthenticated(explainMissingToken(request.headers.authorization, bearer))
  }
  // A frame of the platform sends its own origin and names the embedding page.
  const { origin, 'x-embedded-in': embedder } = request.headers
  for (const page of new Set([origin, embedder])) if (page) await assertOriginAllowed(caller, page)
  return { caller, prefetched }
}

function explainMissingToken(
  authorization: string | undefined,
  bearer: string | false | undefined,
): string | undefined {
  if (bearer) return undefined
  return authorization ? message('access.noBearerToken') : message('access.noAuthorization')
}

function startPrefetch({ on, at }: GuardedPolicy, { params, query }: Request): Promise<unknown> | undefined {
  const [source, name = ''] = at?.split('.') ?? []
  const id = source === 'params' ? params[name] : source === 'query' ? query[name] : undefined
  return id && typeof id === 'string' ? prefetch(on, id) : undefined
}

/** URLs end up in logs, so only publishable keys are accepted there. */
async function authenticatePublishableKey({ key }: GuardedPolicy, request: Request): Promise<Principal | undefined> {
  const value = key && (await readPath(key, request))
  const principal = value ? await authenticate(value) : undefined
  return principal?.role === 'publishable' ? principal : undefined
}

const loadSubscriptionModule = lazy(() => import('../auth/subscription.ts'))

async function admitUnauthenticated(
  policy: Exclude<Policy, GuardedPolicy>,
  request: Request,
): Promise<Record<string, unknown>> {
  if ('public' in policy) {
    await admitAddress(getClientAddress(request))
    return {}
  }
  const { auth } = request.query
  const { formatChannelName, loadSubscription } = await loadSubscriptionModule()
  const subscription = typeof auth === 'string' ? await loadSubscription(auth) : undefined
  if (!subscription || formatChannelName(subscription.channel) !== request.params.channel)
    throw forbidden(message('access.subscriptionTokenNotValid'))
  return { subscription }
}

/**
 * Loads first: a hidden resource is a 404 even for callers without the permission.
 * Returns the restricted caller, so everything the handler loads with it is allowed, too.
 */
async function authorize(
  policy: GuardedPolicy,
  caller: Principal,
  request: Request,
  prefetched: Promise<unknown> | undefined,
): Promise<Record<string, unknown>> {
  const id = policy.at ? await readPath(policy.at, request) : undefined
  const isOmitted = id === undefined && policy.optional && policy.on !== 'environment' && policy.on !== 'environments'
  const loadAs = async (principal: Principal) =>
    isOmitted ? {} : { [policy.on]: await loadScope(policy.on, principal, id, prefetched) }
  const restricted = restrictTo(caller, policy.can, policy.on)
  const loaded = restricted && (await loadAs(restricted).catch(ignoreNotFoundIf(restricted !== caller)))
  if (loaded) {
    if (policy.outsideBrowsers) assertNotBrowser(caller, request)
    if (policy.guests === 'own') assertOwnResource(caller, policy.on, loaded)
    return { ...loaded, caller: restricted }
  }
  await loadAs(caller)
  throw missingPermission(policy.can)
}

const isTargetMissing = async ({ on, at, optional }: GuardedPolicy, request: Request): Promise<boolean> =>
  at?.startsWith('body.') === true &&
  !optional &&
  on !== 'environment' &&
  on !== 'environments' &&
  (await readPath(at, request)) === undefined

/** Without `Sec-Fetch-Mode`, which Node's fetch sends, too. */
const BROWSER_HEADERS = ['origin', 'referer', 'cookie', 'sec-fetch-site', 'sec-fetch-dest']

function assertNotBrowser({ role, tokenId }: Principal, { headers, event }: Request): void {
  const usesKey = role === 'environment' || role === 'agent' || tokenId !== undefined
  const isBrowser = BROWSER_HEADERS.some((name) => headers[name] !== undefined) || (event.cookies ?? []).length > 0
  if (!usesKey || isBrowser) throw forbidden(message('access.changesState'))
}

function assertOwnResource({ grants, actorId }: Principal, scope: Scope, loaded: Record<string, unknown>): void {
  const { createdBy } = loaded[scope] as { createdBy?: string }
  if (grants && createdBy !== actorId) throw forbidden(message('access.createdBySomeoneElse'))
}

/** The restricted caller gets a 404, but another of its roles may see the resource: then 403 is correct. */
const ignoreNotFoundIf = (isRestricted: boolean) => (error: unknown) => {
  if (!isRestricted || !(error instanceof ApiError && error.code === 'not-found')) throw error
  return undefined
}

async function readPath(at: NonNullable<GuardedPolicy['at']>, request: Request): Promise<string | undefined> {
  const [source, ...path] = at.split('.')
  let value: unknown = source === 'params' ? request.params : source === 'query' ? request.query : await request.json()
  for (const key of path)
    value = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

function parse(
  { headers }: Request,
  ...parts: [name: string, shape: z.ZodType | undefined, value: unknown][]
): Record<string, unknown> {
  const results = parts.map(([name, shape, value]) => ({ name, result: shape?.safeParse(value) }))
  const problems = [
    ...results.flatMap(({ name, result }) => (result && !result.success ? toProblems(result.error, name) : [])),
    ...(isPublicClient(headers) ? [] : parts.flatMap(([, shape, value]) => findTypos(shape, value))),
  ]
  if (problems.length > 0) throw invalid(problems)
  return Object.fromEntries(results.map(({ name, result }) => [name, result?.data]))
}

/** Published clients rely on misspelled names being ignored; these headers identify them. */
const isPublicClient = (headers: Request['headers']): boolean =>
  headers['x-fern-sdk-name'] !== undefined || headers['x-disable-hooks'] !== undefined

const toProblems = (error: z.ZodError, part: string) =>
  flattenIssues(error.issues).map((issue) => ({
    key: issue.path.map(String).join('.') || part,
    message: issue.message,
  }))

/** Reports the closest member's problems: one that fails only in nested fields beats one of another type. */
function flattenIssues(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
    const distance = (member: readonly z.core.$ZodIssue[]) => (member.some(({ path }) => path.length === 0) ? 1 : 0)
    const closest = issue.errors.reduce((best, next) =>
      (distance(next) - distance(best) || next.length - best.length) < 0 ? next : best,
    )
    if (distance(closest) && issue.message !== NOT_VALID) return [issue]
    return flattenIssues(closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })))
  })
}

async function parseBody(contract: Contract, request: Request): Promise<unknown> {
  if (!contract.body || (contract.bodyType ?? 'json') !== 'json') return undefined
  const value = await request.json()
  if (value === undefined && contract.bodyOptional) return undefined
  if (value === undefined) throw invalid([{ key: 'body', message: message('requests.bodyMissing') }])
  return parse(request, ['body', contract.body, value]).body
}

function encodeReply(contract: Contract, output: unknown, request: Request): Bytes {
  const body = contract.reply === 'bytes' ? output : contract.reply.parse(output)
  return jsonReply(formatFor(request.headers, body))
}
