/** What an endpoint answers that is no success: from its policy, its body, and what it declares itself. Pure. */
import type { Contract } from '../../schemas/endpoint.ts'
import { ERRORS } from '../../schemas/error-kinds.ts'
import { ERROR_STATUS, type ErrorCode } from '../../schemas/errors.ts'

/** A POST by somebody can be repeated under a key. */
export const takesKey = ({ method, policy }: Contract): boolean => method === 'POST' && 'on' in policy

/** Every error code an endpoint may answer. */
export function errorsOf(contract: Contract): ErrorCode[] {
  const { policy } = contract
  const guarded: ErrorCode[] =
    'on' in policy ? ['unauthenticated', 'forbidden'] : 'subscription' in policy ? ['forbidden'] : []
  const named = (contract.path.includes('{') && 'on' in policy) || 'at' in policy
  const found: ErrorCode[] = named ? ['not-found'] : []
  const sent: ErrorCode[] = contract.body ? ['too-large'] : []
  // A write is conditional on what was read.
  const written: ErrorCode[] = contract.method !== 'GET' && 'on' in policy ? ['conflict'] : []
  const repeated: ErrorCode[] = takesKey(contract) ? ['unprocessable'] : []
  return [
    ...new Set<ErrorCode>([
      'invalid',
      ...guarded,
      ...found,
      ...sent,
      ...(contract.errors ?? []),
      ...written,
      ...repeated,
      'too-many-requests',
      'internal',
      'unavailable',
      'timed-out',
    ]),
  ]
}

const content = (key: string, message: string) => ({
  'application/json': { schema: { $ref: '#/components/schemas/Errors' }, example: { errors: [{ key, message }] } },
})

/** Of an OpenAPI document: one response an error code, and the one of files that have no such bytes. */
export const errorResponses = (): Record<string, unknown> => ({
  ...Object.fromEntries(
    // Of a method that is not there no operation tells.
    Object.entries(ERRORS)
      .filter(([code]) => code !== 'method-not-allowed')
      .map(([code, { when, example }]) => [
        code,
        {
          description: when,
          ...([429, 503].includes(ERROR_STATUS[code as ErrorCode])
            ? {
                headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } },
              }
            : {}),
          content: content(example.key ?? code, example.message),
        },
      ]),
  ),
  'headers-too-large': {
    description: 'The request line and the headers are too large for the gateway, which answers without a body of ours',
  },
  'no-such-range': {
    description: 'The file has no such bytes',
    content: content('range', 'The file has 120 bytes.'),
  },
})
