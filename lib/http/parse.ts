import * as z from 'zod'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import type { Problem } from '../../schemas/kit/error-codes.ts'
import { formatIssue, NOT_VALID } from '../../schemas/kit/shape-messages.ts'
import { message } from '../../schemas/messages/index.ts'
import { invalid } from '../core/errors.ts'
import type { Request } from './request.ts'
import { findTypos } from './typos.ts'
import { isUnchangedBy } from './unchanged-value.ts'

z.config({ localeError: formatIssue })

export const parseParamsAndQuery = (contract: Contract, request: Request): Record<string, unknown> =>
  parse(request, ['params', contract.params, request.params], ['query', contract.query, request.query])

export async function parseBody(contract: Contract, request: Request): Promise<unknown> {
  const { bodyType = 'json' } = contract
  if (!contract.body || (bodyType !== 'json' && bodyType !== 'form')) return undefined
  const value = bodyType === 'form' && !isJson(request) ? await parseForm(request) : await request.json()
  if (value === undefined && contract.bodyOptional) return undefined
  if (value === undefined) throw invalid([{ key: 'body', message: message('requests.bodyMissing') }])
  return isUnchangedBy(contract.body, value) ? value : parse(request, ['body', contract.body, value]).body
}

const isJson = ({ headers }: Request): boolean => headers['content-type']?.includes('json') ?? false

const parseForm = async (request: Request): Promise<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams((await request.bytes()).toString('utf8')))

function parse(
  { headers }: Request,
  ...parts: [name: string, shape: z.ZodType | undefined, value: unknown][]
): Record<string, unknown> {
  const results = parts.map(([name, shape, value]) => ({ name, result: shape?.safeParse(value) }))
  const problems = [
    ...results.flatMap(({ name, result }) => (result && !result.success ? toProblems(result.error, name) : [])),
    ...(isPublicClient(headers) ? [] : parts.flatMap(([, shape, value]) => findTypos(shape, value))),
  ]
  if (problems.length > 0) throw invalid(problems)
  return Object.fromEntries(results.map(({ name, result }) => [name, result?.data]))
}

/** Published clients rely on misspelled names being ignored; these headers identify them. */
const isPublicClient = (headers: Request['headers']): boolean =>
  headers['x-fern-sdk-name'] !== undefined || headers['x-disable-hooks'] !== undefined

const toProblems = (error: z.ZodError, part: string): Problem[] =>
  flattenIssues(error.issues).map((issue) => ({
    key: issue.path.map(String).join('.') || part,
    message: issue.message,
  }))

/** Reports the closest member's problems: one that fails only in nested fields beats one of another type. */
function flattenIssues(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
    const distance = (member: readonly z.core.$ZodIssue[]) => (member.some(({ path }) => path.length === 0) ? 1 : 0)
    const closest = issue.errors.reduce((best, next) =>
      (distance(next) - distance(best) || next.length - best.length) < 0 ? next : best,
    )
    if (distance(closest) && issue.message !== NOT_VALID) return [issue]
    return flattenIssues(closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })))
  })
}
