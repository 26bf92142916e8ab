/** Notes in the audit log what an endpoint did whose contract says so, in the endpoint's own unit of work. */
import type { Contract } from '../../schemas/endpoint.ts'
import type { Principal } from '../auth/principal.ts'
import { kindOf } from '../core/ids.ts'
import { AuditLog } from '../entities/audit.ts'
import { withoutSecrets } from '../entities/without-secrets.ts'
import type { Tx } from '../tx.ts'
import { addressOf } from './address.ts'
import type { Request } from './request.ts'

/** The most of a user agent that is kept. */
const AGENT_CHARACTERS = 200

interface Done {
  caller: Principal
  request: Request
  body?: unknown
  /** What the handler received beside, the thing its policy guards among it. */
  [handed: string]: unknown
}

/** @param output what the handler answered */
export function note(tx: Tx, contract: Contract, done: Done, output: unknown): void {
  if (!isNoted(contract, done)) return
  const { caller, request } = done
  const { 'user-agent': userAgent } = request.headers
  const credentialId = caller.keyId ?? caller.tokenId
  const after = contract.audit === 'read' || contract.method === 'DELETE' ? undefined : dataOf(output)
  const before = contract.audit === 'read' ? undefined : addressed(contract, done)
  AuditLog.add(tx, {
    action: contract.id,
    role: caller.role,
    ...(credentialId ? { credentialId } : {}),
    address: addressOf(request),
    ...(userAgent ? { userAgent: userAgent.slice(0, AGENT_CHARACTERS) } : {}),
    resources: idsIn(request.params, request.query, after),
    before,
    after,
  })
}

/** Reads are noted of users: keys read their own environment's all the time. */
function isNoted({ audit }: Contract, { caller, body }: Done): boolean {
  if (audit === 'read') return caller.role === 'administrator' || caller.role === 'member'
  if (typeof audit !== 'object') return audit !== undefined
  return (
    typeof body === 'object' && body !== null && audit.ofFields.some((field) => (body as Fields)[field] !== undefined)
  )
}

type Fields = Record<string, unknown>

/** The thing the path names, as it was. */
const addressed = ({ policy }: Contract, done: Done): unknown =>
  'on' in policy && policy.at?.startsWith('params.') ? done[policy.on] : undefined

function dataOf(output: unknown): unknown {
  const reply = output as { data?: unknown }
  const data = reply?.data ?? reply
  return (data as Fields | undefined)?.success === true ? undefined : data
}

/** Of requests and answers every text that is an id; of a key's value its id. */
function idsIn(...things: unknown[]): string[] {
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(texts)
  }
  return things.map(withoutSecrets).flatMap(texts).filter(isId).slice(0, 100)
}

const isId = (text: string): boolean => kindOf(text) !== undefined || /^(sk|pk|pat|agk)_[A-Za-z0-9]{22}$/.test(text)
