/** Redacts credentials from a copy of a resource, for the audit log. Pure. */

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
const isSecretField = (field: string): boolean => SECRET_FIELDS.has(field) || field.startsWith('sealed')

const SECRET_PATTERNS: [RegExp, string][] = [
  [/\b((?:sk|pk|pat|agk)_[A-Za-z0-9]{22})_[A-Za-z0-9]{47}/g, '$1'],
  [/\b(us_(?:usr|inv)_[0-9A-Z]{26})_[A-Za-z0-9]{43}/g, '$1'],
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g, '(a token)'],
]

export function redactSecrets(value: unknown): unknown {
  if (typeof value === 'string')
    return SECRET_PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), value)
  if (Array.isArray(value)) return value.map(redactSecrets)
  if (value === null || typeof value !== 'object') return value
  const safeEntries = Object.entries(value).filter(([field, member]) => !isSecretField(field) && member !== undefined)
  return Object.fromEntries(safeEntries.map(([field, member]) => [field, redactSecrets(member)]))
}
