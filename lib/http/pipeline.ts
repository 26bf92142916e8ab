/**
 * The steps of every endpoint: authenticate, rate limit, parse params and query, authorize, parse the body, then run
 * once per idempotency key inside a transaction.
 */

import type * as z from 'zod'
import type { Scope } from '../../schemas/access/permissions.ts'
import type { Contract, Policy } from '../../schemas/kit/endpoint.ts'
import type { ScopeResources } from '../auth/load-resource.ts'
import type { Principal } from '../auth/principal.ts'
import type { Subscription } from '../auth/subscription.ts'
import { begin, type Tx } from '../tx.ts'
import { getClientAddress } from './address.ts'
import { recordAudit } from './audit.ts'
import { authenticateRequest, authenticateSubscription, type GuardedPolicy } from './authenticate.ts'
import { authorizeRequest, requiresIdInBody } from './authorize.ts'
import type { StoreReply } from './idempotency.ts'
import { runOncePerKey } from './idempotency.ts'
import { parseBody, parseParamsAndQuery } from './parse.ts'
import { admitAddress, admitCaller } from './rate-limit.ts'
import { type Request, readPath } from './request.ts'
import { Bytes, jsonReply } from './response.ts'
import { formatFor } from './sdk-compat.ts'

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

export const run = <C extends Contract>(contract: C, work: Work<C>, request: Request): Promise<Bytes> =>
  'on' in contract.policy
    ? runForCaller(contract, contract.policy, work, request)
    : runForAnyone(contract, contract.policy, work, request)

async function runForCaller<C extends Contract>(
  contract: C,
  policy: GuardedPolicy,
  work: Work<C>,
  request: Request,
): Promise<Bytes> {
  const authenticated = await authenticateRequest(policy, request)
  const rateHeaders = await admitCaller(authenticated.caller)
  const paramsAndQuery = parseParamsAndQuery(contract, request)
  const id = policy.at && (await readPath(request, policy.at))
  // The id is missing in the body: report the body's other problems, too.
  if (id === undefined && requiresIdInBody(policy)) await parseBody(contract, request)
  const access = await authorizeRequest(policy, request, authenticated, id)
  const body = await parseBody(contract, request)
  const input = { ...paramsAndQuery, body, request, ...access }
  const reply = await runOnce(contract, input, (storeReply) => runInTransaction(contract, work, input, storeReply))
  return new Bytes(reply.body, { ...reply.headers, ...rateHeaders }, reply.status)
}

async function runForAnyone<C extends Contract>(
  contract: C,
  policy: Exclude<Policy, GuardedPolicy>,
  work: Work<C>,
  request: Request,
): Promise<Bytes> {
  const paramsAndQuery = parseParamsAndQuery(contract, request)
  if ('public' in policy) await admitAddress(getClientAddress(request))
  const access = 'public' in policy ? {} : { subscription: await authenticateSubscription(request) }
  const body = await parseBody(contract, request)
  const output = await work({ ...paramsAndQuery, body, request, ...access } as unknown as Input<C>)
  return encodeReply(contract, output, request)
}

interface AuthorizedInput {
  caller: Principal
  request: Request
  [name: string]: unknown
}

async function runOnce(
  { method }: Contract,
  { caller, request }: AuthorizedInput,
  runWork: (storeReply?: StoreReply) => Promise<Bytes>,
): Promise<Bytes> {
  const key = method === 'POST' ? request.headers['idempotency-key'] : undefined
  return key === undefined ? runWork() : runOncePerKey(key, caller, request, runWork)
}

async function runInTransaction<C extends Contract>(
  contract: C,
  work: Work<C>,
  input: AuthorizedInput,
  storeReply: StoreReply | undefined,
): Promise<Bytes> {
  const { accountId, actorId } = input.caller
  const tx = begin({ accountId, actorId })
  const output = await work({ ...input, tx } as unknown as Input<C>)
  const reply = encodeReply(contract, output, input.request)
  if (contract.audit) recordAudit(tx, contract, input, output)
  await storeReply?.(tx, reply, contract.secrets)
  await tx.commit()
  return reply
}

function encodeReply(contract: Contract, output: unknown, request: Request): Bytes {
  if (output instanceof Bytes) return output
  const body = contract.reply === 'bytes' ? output : contract.reply.parse(output)
  return jsonReply(formatFor(request.headers, body))
}
