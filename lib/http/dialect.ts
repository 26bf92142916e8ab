/**
 * Where the specification and the public SDK spell differently. Stored and answered as the specification says; a caller that
 * names itself as the SDK gets its spelling. Both are understood as input everywhere.
 */

/** Does the caller name itself as the public SDK? */
const speaksSdk = (headers: Record<string, string | undefined>): boolean => headers['x-fern-sdk-name'] !== undefined

/**
 * The public command line asks for the job that exports an agent without that name, and waits for the SDK's `complete`; it
 * is told by the library it asks with.
 */
const isCommandLine = (headers: Record<string, string | undefined>, body: unknown): boolean =>
  /^axios\//.test(headers['user-agent'] ?? '') &&
  (body as { data?: { operation?: string } } | undefined)?.data?.operation === 'agent-export'

/** A reply as the caller spells it. */
export const spelledFor = (headers: Record<string, string | undefined>, body: unknown): unknown =>
  speaksSdk(headers) || isCommandLine(headers, body) ? toSdk(body) : body

/** A copy of a reply in the SDK's spelling: job status `complete`, `guestAuthentication` as a list. */
export function toSdk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSdk)
  if (value === null || typeof value !== 'object') return value
  const source = value as Record<string, unknown>
  const out: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(source)) out[key] = spelled(source, key, member)
  return out
}

function spelled(owner: Record<string, unknown>, key: string, member: unknown): unknown {
  if (key === 'status' && member === 'completed' && 'operation' in owner) return 'complete'
  if (key === 'guestAuthentication' && typeof member === 'string') return [member]
  // What users stored as they liked is not ours to respell.
  if (key === 'metadata' || key === 'input' || key === 'values' || key === 'partData') return member
  return toSdk(member)
}
