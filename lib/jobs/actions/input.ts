/** Validates people's input against the form of an action. */
import type { InputField } from '../../../schemas/action.ts'
import type { Problem } from '../../../schemas/errors.ts'

type Input = Record<string, unknown>

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

export function withDefaults(fields: readonly InputField[], input: Input = {}): Input {
  const defaults = fields.flatMap(({ key, defaultValue }) =>
    input[key] === undefined && !isEmpty(defaultValue) ? [[key, defaultValue]] : [],
  )
  return { ...Object.fromEntries(defaults), ...input }
}

/** Input that the form does not declare is passed to the listener unvalidated. */
export const validateInput = (fields: readonly InputField[], input: Input): Problem[] =>
  fields.flatMap((field) => {
    const message = findProblem(field, input[field.key])
    return message === undefined ? [] : [{ key: `input.${field.key}`, message }]
  })

function findProblem(field: InputField, value: unknown): string | undefined {
  const isRequired = field.constraints?.some(({ type }) => type === 'required')
  if (isEmpty(value)) return isRequired ? `${field.label} is required` : undefined
  const expected = TYPES[field.type]
  if (expected && !expected.matches(value)) return `${field.label} must be ${expected.name}`
  return findOptionProblem(field, value)
}

const isText = (value: unknown): value is string => typeof value === 'string'

const TYPES: Record<string, { name: string; matches: (value: unknown) => boolean } | undefined> = {
  string: { name: 'a text', matches: isText },
  textarea: { name: 'a text', matches: isText },
  number: { name: 'a number', matches: (value) => typeof value === 'number' && Number.isFinite(value) },
  boolean: { name: 'true or false', matches: (value) => typeof value === 'boolean' },
  date: {
    name: 'a date',
    matches: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value)),
  },
  'enum-list': { name: 'a list', matches: Array.isArray },
}

function findOptionProblem({ type, label, config }: InputField, value: unknown): string | undefined {
  if (!config || (type !== 'enum' && type !== 'enum-list')) return undefined
  const options = config.options.map((option) => JSON.stringify(option.value))
  const isKnown = [value].flat().every((item) => options.includes(JSON.stringify(item)))
  return isKnown ? undefined : `${label} must be ${type === 'enum' ? 'one' : 'some'} of ${options.join(', ')}`
}
