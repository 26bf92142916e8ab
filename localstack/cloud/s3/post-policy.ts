/**
 * The policy of a browser upload: a signed document of conditions that every field of the form must meet.
 * Pure: form fields in, errors out.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */
import { type Credentials, sameSignature, sign, signingKey } from '../signature/signature.ts'
import { parseCredential } from '../signature/verify.ts'
import { inS3, RULES } from './authenticate.ts'
import { S3Error } from './errors.ts'

/** Fields by lower-case name. */
export type FormFields = ReadonlyMap<string, string>

/** What a policy allows the file to be. */
export interface SizeLimits {
  minBytes: number
  maxBytes: number
}

interface Condition {
  operator: 'eq' | 'starts-with'
  field: string
  value: string
}

interface Policy {
  /** ms since the epoch */
  expiresAt: number
  conditions: Condition[]
  limits: SizeLimits
}

/** Fields that no condition has to cover: the proof itself and the file. */
const UNCOVERED = new Set(['policy', 'x-amz-signature', 'file', 'bucket'])

/**
 * Verifies the signature of a form and its conditions. `now` is in ms since the epoch.
 * @returns the sizes the file may have.
 * @throws AccessDenied without a policy, when it expired or a condition fails; SignatureDoesNotMatch; InvalidPolicyDocument.
 */
export function verifyForm(fields: FormFields, bucket: string, credentials: Credentials, now: number): SizeLimits {
  const encoded = fields.get('policy')
  if (!encoded) throw new S3Error('AccessDenied')
  verifySignature(fields, encoded, credentials)
  const policy = parsePolicy(encoded)
  if (policy.expiresAt <= now) throw denied('Policy expired.')
  const values = new Map([...fields, ['bucket', bucket]])
  for (const condition of policy.conditions) assertMet(condition, values)
  assertCovered(fields, policy.conditions)
  return policy.limits
}

function verifySignature(fields: FormFields, policy: string, credentials: Credentials): void {
  if (fields.get('x-amz-algorithm') !== 'AWS4-HMAC-SHA256') {
    throw new S3Error(
      'InvalidRequest',
      'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.',
    )
  }
  const scope = inS3(() => parseCredential(fields.get('x-amz-credential') ?? '', RULES, credentials))
  const expected = sign(signingKey(credentials.secretAccessKey, scope), policy)
  if (!sameSignature(expected, fields.get('x-amz-signature') ?? '')) throw new S3Error('SignatureDoesNotMatch')
}

function parsePolicy(encoded: string): Policy {
  const source = parseJson(Buffer.from(encoded, 'base64').toString())
  const expiresAt = isRecord(source) ? Date.parse(String(source.expiration)) : Number.NaN
  if (!isRecord(source) || Number.isNaN(expiresAt) || !Array.isArray(source.conditions))
    throw invalidPolicy('Invalid JSON.')
  const policy: Policy = { expiresAt, conditions: [], limits: { minBytes: 0, maxBytes: Number.POSITIVE_INFINITY } }
  for (const condition of source.conditions) {
    if (Array.isArray(condition) && condition[0] === 'content-length-range') policy.limits = parseLimits(condition)
    else policy.conditions.push(...parseCondition(condition))
  }
  return policy
}

function parseLimits([, min, max]: unknown[]): SizeLimits {
  const limits = { minBytes: Number(min), maxBytes: Number(max) }
  if (limits.minBytes >= 0 && limits.maxBytes >= limits.minBytes) return limits
  throw invalidPolicy('Invalid content-length-range.')
}

/** `{"field": "value"}` or `["eq" | "starts-with", "$field", "value"]`. */
function parseCondition(condition: unknown): Condition[] {
  if (isRecord(condition)) {
    return Object.entries(condition).map(([field, value]) => ({
      operator: 'eq',
      field: field.toLowerCase(),
      value: String(value),
    }))
  }
  const [operator, field, value] = Array.isArray(condition) ? condition : []
  if ((operator === 'eq' || operator === 'starts-with') && typeof field === 'string' && field.startsWith('$')) {
    return [{ operator, field: field.slice(1).toLowerCase(), value: String(value) }]
  }
  throw invalidPolicy(`Invalid condition: ${JSON.stringify(condition)}`)
}

function assertMet(condition: Condition, fields: FormFields): void {
  const value = fields.get(condition.field) ?? ''
  const isMet = condition.operator === 'eq' ? value === condition.value : value.startsWith(condition.value)
  if (isMet) return
  const written = JSON.stringify([condition.operator, `$${condition.field}`, condition.value])
  throw denied(`Policy Condition failed: ${written}`)
}

function assertCovered(fields: FormFields, conditions: Condition[]): void {
  const covered = new Set(conditions.map((condition) => condition.field))
  const extra = [...fields.keys()].filter(
    (name) => !covered.has(name) && !UNCOVERED.has(name) && !name.startsWith('x-ignore-'),
  )
  if (extra.length > 0) throw denied(`Extra input fields: ${extra.join(', ')}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidPolicy('Invalid JSON.')
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const denied = (reason: string) => new S3Error('AccessDenied', `Invalid according to Policy: ${reason}`)

const invalidPolicy = (reason: string) => new S3Error('InvalidPolicyDocument', `Invalid Policy: ${reason}`)
