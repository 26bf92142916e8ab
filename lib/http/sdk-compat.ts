/** Uses the SDK's spelling in replies to the public SDK, where it differs from the specification. */

const isSdkClient = (headers: Record<string, string | undefined>): boolean => headers['x-fern-sdk-name'] !== undefined

/** The public CLI exports agents without the SDK header but expects the SDK's `complete`. */
const isCliExport = (headers: Record<string, string | undefined>, body: unknown): boolean =>
  /^axios\//.test(headers['user-agent'] ?? '') &&
  (body as { data?: { operation?: string } } | undefined)?.data?.operation === 'agent-export'

export const formatFor = (headers: Record<string, string | undefined>, body: unknown): unknown =>
  isSdkClient(headers) || isCliExport(headers, body) ? toSdkShape(body) : body

export function toSdkShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSdkShape)
  if (value === null || typeof value !== 'object') return value
  const source = value as Record<string, unknown>
  const out: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(source)) out[key] = toSdkMember(source, key, member)
  return out
}

function toSdkMember(owner: Record<string, unknown>, key: string, member: unknown): unknown {
  if (key === 'status' && member === 'completed' && 'operation' in owner) return 'complete'
  if (key === 'guestAuthentication' && typeof member === 'string') return [member]
  if (key === 'metadata' || key === 'input' || key === 'values' || key === 'partData') return member
  return toSdkShape(member)
}
