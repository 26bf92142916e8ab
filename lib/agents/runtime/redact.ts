/** Redacts credentials from a log: the platform's keys and tokens by their format, and the given values. Pure. */

const MASK = '[redacted]'
/** Keys (`sk_<id>_<secret>`, see lib/auth/keys.ts) and JWTs (three base64url parts, the first a JSON object). */
const TOKENS = /\b(?:sk|pk|pat|agk)_[A-Za-z0-9]{22}_[A-Za-z0-9]{47}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g
/** Shorter values occur in any text by chance; masking them would make the log unreadable. */
const MIN_SECRET_CHARACTERS = 6

function listEncodings(value: string): string[] {
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

export function redact(text: string, values: readonly string[] = []): string {
  const secrets = values
    .filter((value) => value.length >= MIN_SECRET_CHARACTERS)
    .toSorted((a, b) => b.length - a.length)
  return secrets
    .flatMap(listEncodings)
    .reduce((result, form) => result.replaceAll(form, MASK), text.replace(TOKENS, MASK))
}
