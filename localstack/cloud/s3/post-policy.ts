/** POST policies: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html */
import { type Credentials, deriveSigningKey, isEqualSignature, sign } from '../signature/signature.ts'
import { parseCredential } from '../signature/verify.ts'
import { SIGNING_RULES, withS3Errors } from './authenticate.ts'
import { S3Error } from './errors.ts'

export type FormFields = ReadonlyMap<string, string>

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
  expiresAt: number
  conditions: Condition[]
  limits: SizeLimits
}

const EXEMPT_FIELDS = new Set(['policy', 'x-amz-signature', 'file', 'bucket'])

/** Verifies the signature and the conditions; returns the allowed file size. `now` is in milliseconds since 1970. */
export function verifyForm(fields: FormFields, bucket: string, credentials: Credentials, now: number): SizeLimits {
  const encoded = fields.get('policy')
  if (!encoded) throw new S3Error('AccessDenied')
  verifySignature(fields, encoded, credentials)
  const policy = parsePolicy(encoded)
  if (policy.expiresAt <= now) throw createDeniedError('Policy expired.')
  const values = new Map([...fields, ['bucket', bucket]])
  for (const condition of policy.conditions) assertCondition(condition, values)
  assertAllCovered(fields, policy.conditions)
  return policy.limits
}

function verifySignature(fields: FormFields, policy: string, credentials: Credentials): void {
  if (fields.get('x-amz-algorithm') !== 'AWS4-HMAC-SHA256') {
    throw new S3Error(
      'InvalidRequest',
      'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.',
    )
  }
  const scope = withS3Errors(() => parseCredential(fields.get('x-amz-credential') ?? '', SIGNING_RULES, credentials))
  const expected = sign(deriveSigningKey(credentials.secretAccessKey, scope), policy)
  if (!isEqualSignature(expected, fields.get('x-amz-signature') ?? '')) throw new S3Error('SignatureDoesNotMatch')
}

function parsePolicy(encoded: string): Policy {
  const source = parseJson(Buffer.from(encoded, 'base64').toString())
  const expiresAt = isRecord(source) ? Date.parse(String(source.expiration)) : Number.NaN
  if (!isRecord(source) || Number.isNaN(expiresAt) || !Array.isArray(source.conditions))
    throw createInvalidPolicyError('Invalid JSON.')
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
  throw createInvalidPolicyError('Invalid content-length-range.')
}

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
  throw createInvalidPolicyError(`Invalid condition: ${JSON.stringify(condition)}`)
}

function assertCondition(condition: Condition, fields: FormFields): void {
  const value = fields.get(condition.field) ?? ''
  const isMet = condition.operator === 'eq' ? value === condition.value : value.startsWith(condition.value)
  if (isMet) return
  const conditionText = JSON.stringify([condition.operator, `$${condition.field}`, condition.value])
  throw createDeniedError(`Policy Condition failed: ${conditionText}`)
}

function assertAllCovered(fields: FormFields, conditions: Condition[]): void {
  const covered = new Set(conditions.map((condition) => condition.field))
  const extra = [...fields.keys()].filter(
    (name) => !covered.has(name) && !EXEMPT_FIELDS.has(name) && !name.startsWith('x-ignore-'),
  )
  if (extra.length > 0) throw createDeniedError(`Extra input fields: ${extra.join(', ')}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw createInvalidPolicyError('Invalid JSON.')
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const createDeniedError = (reason: string) => new S3Error('AccessDenied', `Invalid according to Policy: ${reason}`)

const createInvalidPolicyError = (reason: string) => new S3Error('InvalidPolicyDocument', `Invalid Policy: ${reason}`)
