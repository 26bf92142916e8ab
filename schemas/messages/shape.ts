/** Messages about values of the wrong type, size or form. */
import type { Text } from './format.ts'

export const shapeMessages = {
  'shape.required': 'is required',
  'shape.notValid': 'is not valid',
  'shape.notEmpty': 'must not be empty',
  'shape.duplicate': 'is a duplicate',

  'shape.string': 'must be a string',
  'shape.number': 'must be a number',
  'shape.wholeNumber': 'must be a whole number',
  'shape.trueOrFalse': 'must be true or false',
  'shape.list': 'must be a list',
  'shape.object': 'must be an object',
  'shape.null': 'must be null',
  'shape.date': 'must be a date',
  'shape.id': 'must be an id',

  'shape.email': 'must be an email address',
  'shape.url': 'must be a URL such as https://example.com/path',
  'shape.dateTime': 'must be a date and time with its zone, such as 2026-01-31T12:00:00Z',
  'shape.plainDate': 'must be a date such as 2026-01-31',
  'shape.pattern': 'must match the pattern {pattern}',

  'shape.exactly': 'must be exactly {value}',
  'shape.oneOf': 'must be one of {values}',
  'shape.oneOfSuggestion': 'must be one of {values}. Did you mean {suggestion}?',
  'shape.unknownProperties': 'has unknown properties: {names}',
  'shape.unknownName': 'is not a known name. Did you mean {suggestion}?',
  'shape.protoKey': 'is not allowed as a key',

  'shape.charactersAtLeast': {
    one: 'must have at least {count} character',
    other: 'must have at least {count} characters',
  },
  'shape.charactersAtMost': {
    one: 'must have at most {count} character',
    other: 'must have at most {count} characters',
  },
  'shape.entriesAtLeast': { one: 'must have at least {count} entry', other: 'must have at least {count} entries' },
  'shape.entriesAtMost': { one: 'must have at most {count} entry', other: 'must have at most {count} entries' },
  'shape.bytesAsJson': 'must not exceed {count} bytes as JSON',
  'shape.atLeast': 'must be at least {limit}',
  'shape.moreThan': 'must be more than {limit}',
  'shape.atMost': 'must be at most {limit}',
  'shape.lessThan': 'must be less than {limit}',
  'shape.multipleOf': 'must be a multiple of {divisor}',
  'shape.digits': 'must be {count} digits',
  'shape.timetoken': 'must be a timetoken: {count} digits',
  'shape.moreProblems': { one: 'has {count} more problem', other: 'has {count} more problems' },
} as const satisfies Record<string, Text>
