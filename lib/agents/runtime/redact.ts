/** Takes out of a log what opens doors: the platform's keys and tokens by their form, and values that are told. Pure. */

const MASK = '[redacted]'
/** Keys (`sk_<id>_<secret>`, see lib/auth/keys.ts) and access tokens (three parts of base64url, the first a JSON object). */
const TOKENS = /\b(?:sk|pk|pat|agk)_[A-Za-z0-9]{22}_[A-Za-z0-9]{47}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g
/** Shorter values stand in any text by chance; without them a log could not be read. */
const SHORTEST_VALUE = 6

/** How a value is written where it is passed on: as it is, and as programs commonly encode it. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const [base64, hex] = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')]
  const reversed = Array.from(value).reverse().join('')
  const json = JSON.stringify(value).slice(1, -1)
  const forms = [
    value,
    json,
    encodeURIComponent(bytes.toString()),
    base64,
    bytes.toString('base64url'),
    hex,
    hex.toUpperCase(),
    reversed,
  ]
  return [...new Set(forms)]
}

/** The text without tokens and without these values, plain or in a common encoding. What hides them otherwise is not found. */
export function redacted(text: string, values: readonly string[] = []): string {
  const secrets = values.filter((value) => value.length >= SHORTEST_VALUE).toSorted((a, b) => b.length - a.length)
  return secrets.flatMap(formsOf).reduce((rest, form) => rest.replaceAll(form, MASK), text.replace(TOKENS, MASK))
}
