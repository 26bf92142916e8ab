/** Default messages of validation errors, in the style of the platform's other errors. */
import type * as z from 'zod'
import { didYouMean } from './nearest.ts'

export const NOT_VALID = 'is not valid'

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
}

const FORMATS: Record<string, string> = {
  email: 'must be an email address',
  url: 'must be a URL such as https://example.com/path',
  datetime: 'must be a date and time with its zone, such as 2026-01-31T12:00:00Z',
  date: 'must be a date such as 2026-01-31',
}

const pluralize = (count: number | bigint, unit: string): string => `${count} ${unit}${Number(count) === 1 ? '' : 's'}`

const formatSize = (origin: string, count: number | bigint): string | undefined =>
  origin === 'string'
    ? pluralize(count, 'character')
    : ['array', 'set', 'map'].includes(origin)
      ? Number(count) === 1
        ? '1 entry'
        : `${count} entries`
      : undefined

function formatAllowedValues(values: readonly unknown[], input: unknown): string {
  if (input === undefined) return 'is required'
  const names = values.map(String)
  if (names.length === 1) return `must be ${names[0]}`
  const suggestion = typeof input === 'string' ? didYouMean(input, names) : ''
  return `must be one of ${names.join(', ')}${suggestion && `.${suggestion}`}`
}

export function formatIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return formatAllowedValues(issue.values, issue.input)
    case 'too_small':
      return formatTooSmall(issue)
    case 'too_big': {
      const size = formatSize(issue.origin, issue.maximum)
      return size
        ? `must have at most ${size}`
        : `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`
    }
    case 'invalid_format':
      return FORMATS[issue.format] ?? `must match ${issue.pattern ?? issue.format}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has unknown properties: ${issue.keys.join(', ')}`
    case 'invalid_union':
      return formatInvalidUnion(issue)
    default:
      return NOT_VALID
  }
}

function formatTooSmall(issue: Extract<z.core.$ZodRawIssue, { code: 'too_small' }>): string {
  const size = formatSize(issue.origin, issue.minimum)
  if (size) return Number(issue.minimum) === 1 ? 'must not be empty' : `must have at least ${size}`
  return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`
}

function formatInvalidUnion({
  input,
  ...issue
}: {
  input?: unknown
  discriminator?: unknown
  options?: unknown
}): string {
  const { discriminator, options } = issue
  if (typeof discriminator !== 'string' || !Array.isArray(options) || typeof input !== 'object' || input === null)
    return NOT_VALID
  return formatAllowedValues(options, (input as Record<string, unknown>)[discriminator])
}
