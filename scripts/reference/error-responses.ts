/** The error responses of an endpoint, derived from its policy, body and contract. Pure. */
import type { Contract } from '../../schemas/kit/endpoint.ts'
import { ERROR_STATUS, type ErrorCode } from '../../schemas/kit/error-codes.ts'
import { ERROR_HELP } from '../../schemas/kit/error-help.ts'

export const acceptsIdempotencyKey = ({ method, policy }: Contract): boolean => method === 'POST' && 'on' in policy

export function getErrorCodes(contract: Contract): ErrorCode[] {
  const { policy } = contract
  const authErrors: ErrorCode[] =
    'on' in policy ? ['unauthenticated', 'forbidden'] : 'subscription' in policy ? ['forbidden'] : []
  const hasResource = (contract.path.includes('{') && 'on' in policy) || 'at' in policy
  const lookupErrors: ErrorCode[] = hasResource ? ['not-found'] : []
  const bodyErrors: ErrorCode[] = contract.body ? ['too-large'] : []
  const writeErrors: ErrorCode[] = contract.method !== 'GET' && 'on' in policy ? ['conflict'] : []
  const idempotencyErrors: ErrorCode[] = acceptsIdempotencyKey(contract) ? ['unprocessable'] : []
  return [
    ...new Set<ErrorCode>([
      'invalid',
      ...authErrors,
      ...lookupErrors,
      ...bodyErrors,
      ...(contract.errors ?? []),
      ...writeErrors,
      ...idempotencyErrors,
      'too-many-requests',
      'internal',
      'unavailable',
      'timed-out',
    ]),
  ]
}

const errorContent = (key: string, message: string) => ({
  'application/json': { schema: { $ref: '#/components/schemas/Errors' }, example: { errors: [{ key, message }] } },
  'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
})

export const errorResponses = (): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(ERROR_HELP)
      .filter(([code]) => code !== 'method-not-allowed')
      .map(([code, { when, example }]) => [
        code,
        {
          description: when,
          ...([429, 503].includes(ERROR_STATUS[code as ErrorCode])
            ? {
                headers: {
                  'Retry-After': {
                    description: 'Seconds to wait before retrying',
                    schema: { type: 'integer', minimum: 1 },
                  },
                },
              }
            : {}),
          content: errorContent(example.key ?? code, example.message),
        },
      ]),
  ),
  'headers-too-large': {
    description: 'The request line and headers are too large. The gateway responds without a body',
  },
  'no-such-range': {
    description: 'The requested range is not satisfiable',
    content: errorContent('range', 'The file has 120 bytes.'),
  },
})
