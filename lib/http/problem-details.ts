/** Errors as `application/problem+json` (RFC 9457) for clients that ask for it. */
import { STATUS_CODES } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { findErrorCode, type Problem, type ProblemDetails } from '../../schemas/kit/error-codes.ts'
import { env } from '../core/env.ts'
import { CORRELATION_PREFIX } from '../core/log.ts'
import { addVary, Bytes } from './response.ts'

const PROBLEM_TYPE = 'application/problem+json'
const JSON_TYPE = 'application/json'
const MAX_PROBLEMS_IN_DETAIL = 10

/** Replies with another form of error, such as those of OAuth, do not change. */
export function negotiateError(reply: Bytes, event: APIGatewayProxyEventV2): Bytes {
  const errors = readErrors(reply)
  if (!errors) return reply
  const headers = addVary(reply.headers, 'accept')
  if (!prefersProblemDetails(event.headers?.accept)) return new Bytes(reply.body, headers, reply.status)
  const details = describeProblem(reply.status, errors, event.requestContext?.requestId)
  return new Bytes(Buffer.from(JSON.stringify(details)), { ...headers, 'content-type': PROBLEM_TYPE }, reply.status)
}

function readErrors({ status, headers, body }: Bytes): Problem[] | undefined {
  if (status < 400 || headers['content-type'] !== JSON_TYPE) return undefined
  const { errors } = JSON.parse(body.toString('utf8')) as { errors?: Problem[] }
  return Array.isArray(errors) ? errors : undefined
}

function prefersProblemDetails(accept = ''): boolean {
  const quality = readQuality(accept, PROBLEM_TYPE)
  return quality > 0 && quality >= readQuality(accept, JSON_TYPE)
}

function readQuality(accept: string, type: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== type) continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return quality === undefined ? 1 : Number(quality.slice(2))
  }
  return 0
}

function describeProblem(status: number, errors: Problem[], requestId: string | undefined): ProblemDetails {
  const code = findErrorCode(status)
  return {
    type: code ? new URL(`/docs/errors#${status}-${code}`, env().BASE_URL).href : 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: errors
      .slice(0, MAX_PROBLEMS_IN_DETAIL)
      .map(({ key, message }) => (key === code ? message : `${key}: ${message}`))
      .join('; '),
    ...(requestId ? { instance: `${CORRELATION_PREFIX}${requestId}` } : {}),
    errors,
  }
}
