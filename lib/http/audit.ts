/** Records audited endpoints in the audit log, in the transaction of the request. */
import type { Contract } from '../../schemas/kit/endpoint.ts'
import type { Principal } from '../auth/principal.ts'
import { parseKind } from '../core/ids.ts'
import { AuditLog } from '../entities/audit.ts'
import { redactSecrets } from '../entities/redact.ts'
import type { Tx } from '../tx.ts'
import { getClientAddress } from './address.ts'
import type { Request } from './request.ts'

const MAX_USER_AGENT_CHARACTERS = 200

interface CompletedRequest {
  caller: Principal
  request: Request
  body?: unknown
  [name: string]: unknown
}

export function recordAudit(tx: Tx, contract: Contract, completed: CompletedRequest, output: unknown): void {
  if (!isAudited(contract, completed)) return
  const { caller, request } = completed
  const { 'user-agent': userAgent } = request.headers
  const credentialId = caller.keyId ?? caller.tokenId
  const after = contract.audit === 'read' || contract.method === 'DELETE' ? undefined : extractData(output)
  const before = contract.audit === 'read' ? undefined : findTarget(contract, completed)
  AuditLog.add(tx, {
    action: contract.id,
    role: caller.role,
    ...(credentialId ? { credentialId } : {}),
    address: getClientAddress(request),
    ...(userAgent ? { userAgent: userAgent.slice(0, MAX_USER_AGENT_CHARACTERS) } : {}),
    resources: collectIds(request.params, request.query, after),
    before,
    after,
  })
}

/** Reads are audited only for users: keys read their environment all the time. */
function isAudited({ audit }: Contract, { caller, body }: CompletedRequest): boolean {
  if (audit === 'read') return caller.role === 'administrator' || caller.role === 'member'
  if (typeof audit !== 'object') return audit !== undefined
  return (
    typeof body === 'object' && body !== null && audit.ofFields.some((field) => (body as Fields)[field] !== undefined)
  )
}

type Fields = Record<string, unknown>

const findTarget = ({ policy }: Contract, completed: CompletedRequest): unknown =>
  'on' in policy && policy.at?.startsWith('params.') ? completed[policy.on] : undefined

function extractData(output: unknown): unknown {
  const reply = output as { data?: unknown }
  const data = reply?.data ?? reply
  return (data as Fields | undefined)?.success === true ? undefined : data
}

/** Ids in requests and replies; of a key's value only its id. */
function collectIds(...values: unknown[]): string[] {
  const collectTexts = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(collectTexts)
  }
  return values.map(redactSecrets).flatMap(collectTexts).filter(isId).slice(0, 100)
}

const isId = (text: string): boolean => parseKind(text) !== undefined || /^(sk|pk|pat|agk)_[A-Za-z0-9]{22}$/.test(text)
