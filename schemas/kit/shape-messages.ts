/** Default messages of validation errors, in the style of the platform's other errors. */
import type * as z from 'zod'
import { message } from '../messages/index.ts'
import { findNearest } from './nearest.ts'

export const NOT_VALID = message('shape.notValid')

const TYPES: Record<string, string> = {
  string: message('shape.string'),
  number: message('shape.number'),
  int: message('shape.wholeNumber'),
  boolean: message('shape.trueOrFalse'),
  array: message('shape.list'),
  tuple: message('shape.list'),
  object: message('shape.object'),
  record: message('shape.object'),
  null: message('shape.null'),
  date: message('shape.date'),
}

const FORMATS: Record<string, string> = {
  email: message('shape.email'),
  url: message('shape.url'),
  datetime: message('shape.dateTime'),
  date: message('shape.plainDate'),
}

const isList = (origin: string): boolean => ['array', 'set', 'map'].includes(origin)

function formatAllowedValues(values: readonly unknown[], input: unknown): string {
  if (input === undefined) return message('shape.required')
  const names = values.map(String)
  if (names.length === 1) return message('shape.exactly', { value: names[0]! })
  const suggestion = typeof input === 'string' ? findNearest(input, names) : undefined
  return suggestion === undefined
    ? message('shape.oneOf', { values: names.join(', ') })
    : message('shape.oneOfSuggestion', { values: names.join(', '), suggestion })
}

export function formatIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? message('shape.required') : (TYPES[issue.expected] ?? NOT_VALID)
    case 'invalid_value':
      return formatAllowedValues(issue.values, issue.input)
    case 'too_small':
      return formatTooSmall(issue)
    case 'too_big':
      return formatTooBig(issue)
    case 'invalid_format':
      return FORMATS[issue.format] ?? message('shape.pattern', { pattern: issue.pattern ?? issue.format })
    case 'not_multiple_of':
      return message('shape.multipleOf', { divisor: String(issue.divisor) })
    case 'unrecognized_keys':
      return message('shape.unknownProperties', { names: issue.keys.join(', ') })
    case 'invalid_union':
      return formatInvalidUnion(issue)
    default:
      return NOT_VALID
  }
}

function formatTooSmall(issue: Extract<z.core.$ZodRawIssue, { code: 'too_small' }>): string {
  const limit = Number(issue.minimum)
  const isSize = issue.origin === 'string' || isList(issue.origin)
  if (isSize && limit === 1) return message('shape.notEmpty')
  if (isSize)
    return message(isList(issue.origin) ? 'shape.entriesAtLeast' : 'shape.charactersAtLeast', { count: limit })
  return message(issue.inclusive ? 'shape.atLeast' : 'shape.moreThan', { limit })
}

function formatTooBig(issue: Extract<z.core.$ZodRawIssue, { code: 'too_big' }>): string {
  const limit = Number(issue.maximum)
  if (issue.origin === 'string') return message('shape.charactersAtMost', { count: limit })
  if (isList(issue.origin)) return message('shape.entriesAtMost', { count: limit })
  return message(issue.inclusive ? 'shape.atMost' : 'shape.lessThan', { limit })
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
