/**
 * Sizes an HTTP API and Lambda enforce between a client and a function, in bytes.
 * Sources: API Gateway "Quotas for HTTP APIs", Lambda "Quotas" (the response limit is the figure in Lambda's own error).
 */
const MB = 1024 * 1024

export const GATEWAY_BODY_BYTES = 10 * MB
export const LAMBDA_RESPONSE_BYTES = 6 * MB + 100

const ESCAPED_SHORT = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x22, 0x5c])
const ESCAPE_WORST_CASE = 6

/** Bytes each UTF-8 byte takes inside a JSON string. */
const JSON_COST = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (ESCAPED_SHORT.has(byte)) return 2
  return byte < 0x20 ? ESCAPE_WORST_CASE : 1
})

/**
 * Whether a text is longer than `limit` once it is a JSON string, which is how Lambda counts it.
 * Looks at the bytes only when their number leaves it open.
 */
export function exceedsAsJson(text: Buffer, limit: number): boolean {
  if (text.length > limit) return true
  if (text.length * ESCAPE_WORST_CASE <= limit) return false
  let bytes = 2
  for (const byte of text) bytes += JSON_COST[byte]!
  return bytes > limit
}
