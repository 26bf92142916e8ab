/** The size limits of HTTP APIs and Lambda, in bytes. Sources: "Quotas for HTTP APIs", Lambda "Quotas". */
const MB = 1024 * 1024

export const GATEWAY_BODY_BYTES = 10 * MB
/** Compressed and binary bodies count as base64. */
export const LAMBDA_REQUEST_BYTES = 6 * MB
export const LAMBDA_RESPONSE_BYTES = 6 * MB + 100

const ESCAPED_SHORT = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x22, 0x5c])
const ESCAPE_WORST_CASE = 6

const JSON_BYTES_PER_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (ESCAPED_SHORT.has(byte)) return 2
  return byte < 0x20 ? ESCAPE_WORST_CASE : 1
})

/** Lambda counts text as a JSON string. Scans the bytes only if their number does not decide. */
export function exceedsAsJson(text: Buffer, limit: number): boolean {
  if (text.length > limit) return true
  if (text.length * ESCAPE_WORST_CASE <= limit) return false
  let bytes = 2
  for (const byte of text) bytes += JSON_BYTES_PER_BYTE[byte]!
  return bytes > limit
}
