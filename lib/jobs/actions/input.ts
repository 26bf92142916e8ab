/** What people filled in, held against the form of an action. Pure. */
import type { InputField } from '../../../schemas/action.ts'
import type { Problem } from '../../../schemas/errors.ts'

type Input = Record<string, unknown>

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The input with the form's defaults for what is left out. */
export function withDefaults(fields: readonly InputField[], input: Input = {}): Input {
  const defaults = fields.flatMap(({ key, defaultValue }) =>
    input[key] === undefined && !isEmpty(defaultValue) ? [[key, defaultValue]] : [],
  )
  return { ...Object.fromEntries(defaults), ...input }
}

/** Every problem of an input; members the form does not name are the listener's own business. */
export const inputProblems = (fields: readonly InputField[], input: Input): Problem[] =>
  fields.flatMap((field) => {
    const message = problemOf(field, input[field.key])
    return message === undefined ? [] : [{ key: `input.${field.key}`, message }]
  })

function problemOf(field: InputField, value: unknown): string | undefined {
  const isRequired = field.constraints?.some(({ type }) => type === 'required')
  if (isEmpty(value)) return isRequired ? `${field.label} is required` : undefined
  const wanted = TYPES[field.type]
  if (wanted && !wanted.fits(value)) return `${field.label} must be ${wanted.name}`
  return optionProblem(field, value)
}

const isText = (value: unknown): value is string => typeof value === 'string'

const TYPES: Record<string, { name: string; fits: (value: unknown) => boolean } | undefined> = {
  string: { name: 'a text', fits: isText },
  textarea: { name: 'a text', fits: isText },
  number: { name: 'a number', fits: (value) => typeof value === 'number' && Number.isFinite(value) },
  boolean: { name: 'true or false', fits: (value) => typeof value === 'boolean' },
  date: {
    name: 'a date',
    fits: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value)),
  },
  'enum-list': { name: 'a list', fits: Array.isArray },
}

/** One of the options, or for a list several of them. */
function optionProblem({ type, label, config }: InputField, value: unknown): string | undefined {
  if (!config || (type !== 'enum' && type !== 'enum-list')) return undefined
  const options = config.options.map((option) => JSON.stringify(option.value))
  const isKnown = [value].flat().every((one) => options.includes(JSON.stringify(one)))
  return isKnown ? undefined : `${label} must be ${type === 'enum' ? 'one' : 'some'} of ${options.join(', ')}`
}
