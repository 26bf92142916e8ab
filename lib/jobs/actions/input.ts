/** Validates people's input against the form of an action. */
import type { InputField } from '../../../schemas/actions/shape.ts'
import type { Problem } from '../../../schemas/kit/error-codes.ts'
import { message } from '../../../schemas/messages/index.ts'

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
    const problem = findProblem(field, input[field.key])
    return problem === undefined ? [] : [{ key: `input.${field.key}`, message: problem }]
  })

function findProblem(field: InputField, value: unknown): string | undefined {
  const isRequired = field.constraints?.some(({ type }) => type === 'required')
  if (isEmpty(value)) return isRequired ? message('actions.inputRequired', { field: field.label }) : undefined
  const expected = TYPES[field.type]
  if (expected && !expected.matches(value)) return message(expected.problem, { field: field.label })
  return findOptionProblem(field, value)
}

type TypeProblem = `actions.input${'Text' | 'Number' | 'Boolean' | 'Date' | 'List'}`

const isText = (value: unknown): value is string => typeof value === 'string'

const TYPES: Record<string, { problem: TypeProblem; matches: (value: unknown) => boolean } | undefined> = {
  string: { problem: 'actions.inputText', matches: isText },
  textarea: { problem: 'actions.inputText', matches: isText },
  number: { problem: 'actions.inputNumber', matches: (value) => typeof value === 'number' && Number.isFinite(value) },
  boolean: { problem: 'actions.inputBoolean', matches: (value) => typeof value === 'boolean' },
  date: {
    problem: 'actions.inputDate',
    matches: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value)),
  },
  'enum-list': { problem: 'actions.inputList', matches: Array.isArray },
}

function findOptionProblem({ type, label, config }: InputField, value: unknown): string | undefined {
  if (!config || (type !== 'enum' && type !== 'enum-list')) return undefined
  const options = config.options.map((option) => JSON.stringify(option.value))
  const isKnown = [value].flat().every((item) => options.includes(JSON.stringify(item)))
  if (isKnown) return undefined
  return message(type === 'enum' ? 'actions.inputOption' : 'actions.inputOptions', {
    field: label,
    options: options.join(', '),
  })
}
