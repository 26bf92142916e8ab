/** Takes out of a log what opens doors: the platform's keys and tokens by their form, and values that are told. Pure. */

const MASK = '[redacted]'
/** Keys (`sk_<id>_<secret>`, see lib/auth/keys.ts) and access tokens (three parts of base64url, the first a JSON object). */
const TOKENS = /\b(?:sk|pk|pat|agk)_[A-Za-z0-9]{22}_[A-Za-z0-9]{47}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g
/** Shorter values stand in any text by chance; without them a log could not be read. */
const SHORTEST_VALUE = 6

/** The text without tokens and without these values, plain or as JSON writes them. */
export function redacted(text: string, values: readonly string[] = []): string {
  const told = values.filter((value) => value.length >= SHORTEST_VALUE).toSorted((a, b) => b.length - a.length)
  return told.reduce(
    (rest, value) => rest.replaceAll(value, MASK).replaceAll(JSON.stringify(value).slice(1, -1), MASK),
    text.replace(TOKENS, MASK),
  )
}
