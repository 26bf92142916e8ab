/** A copy of a thing for people to read later: nothing in it lets anybody in. Pure. */

/** Fields whose values are secrets, or stand for them. */
const SECRET_FIELDS = new Set([
  'rawKey',
  'token',
  'accessToken',
  'secret',
  'secrets',
  'clientSecret',
  'value',
  'text',
  'password',
  'passwordHash',
  'hash',
  'invite',
  'guestLink',
])
const isSecret = (field: string): boolean => SECRET_FIELDS.has(field) || field.startsWith('sealed')

/** Keys and personal access tokens keep their id, links' tokens whom they are of, access tokens nothing. */
const SECRET_TEXTS: [RegExp, string][] = [
  [/\b((?:sk|pk|pat|agk)_[A-Za-z0-9]{22})_[A-Za-z0-9]{47}/g, '$1'],
  [/\b(us_(?:usr|inv)_[0-9A-Z]{26})_[A-Za-z0-9]{43}/g, '$1'],
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g, '(a token)'],
]

export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return SECRET_TEXTS.reduce((text, [found, kept]) => text.replace(found, kept), value)
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([field, member]) => !isSecret(field) && member !== undefined)
  return Object.fromEntries(kept.map(([field, member]) => [field, withoutSecrets(member)]))
}
