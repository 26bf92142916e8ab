/** Tests whether a schema accepts a JSON value as it is. Parsing takes ten times as long, for a copy and union issues. */
import type * as z from 'zod'
import { memoize, memoizeText } from '../core/memo.ts'

/** `unknown`: only the schema itself can decide, or it returns another value. */
type Outcome = 'unchanged' | 'rejected' | 'unknown'
type Test = (value: unknown) => Outcome

interface Definition {
  type: string
  checks?: readonly z.core.$ZodCheck<unknown>[]
  coerce?: boolean
  shape?: Record<string, z.core.$ZodType>
  catchall?: z.core.$ZodType
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  keyType?: z.core.$ZodType
  valueType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
  inclusive?: boolean
  in?: z.core.$ZodType
}

export const isUnchangedBy = (schema: z.core.$ZodType, value: unknown): boolean =>
  getTest(schema)(value) === 'unchanged'

const undecided: Test = () => 'unknown'
const accept: Test = () => 'unchanged'
const toTest =
  (isValid: (value: unknown) => boolean): Test =>
  (value) =>
    isValid(value) ? 'unchanged' : 'rejected'

const getDefinition = (schema: z.core.$ZodType): Definition => schema._zod.def as unknown as Definition

const getTest = memoize<z.core.$ZodType, Test>((schema) => {
  const definition = getDefinition(schema)
  const test = definition.coerce ? undecided : buildTest(schema, definition)
  const isCheck = schema._zod.traits.has('$ZodCheck')
  const checks = [...(isCheck ? [schema as unknown as z.core.$ZodCheck<unknown>] : []), ...(definition.checks ?? [])]
  if (checks.length === 0) return test
  const testChecks = buildChecksTest(checks)
  return (value) => {
    const outcome = test(value)
    return outcome === 'unchanged' ? testChecks(value) : outcome
  }
})

function buildChecksTest(checks: readonly z.core.$ZodCheck<unknown>[]): Test {
  // One for all values: a body can have a million.
  let payload: z.core.ParsePayload = { value: undefined, issues: [] }
  const runChecks = (): Outcome => {
    const { value } = payload
    for (const { _zod: check } of checks) {
      if (check.def.when && !check.def.when(payload)) continue
      if (check.check(payload) instanceof Promise) return 'unknown'
      if (payload.issues.length > 0) return 'rejected'
    }
    return payload.value === value ? 'unchanged' : 'unknown'
  }
  return (value) => {
    payload.value = value
    const outcome = runChecks()
    if (outcome === 'unchanged') payload.value = undefined
    else payload = { value: undefined, issues: [] }
    return outcome
  }
}

function buildTest(schema: z.core.$ZodType, definition: Definition): Test {
  switch (definition.type) {
    case 'string':
    case 'boolean':
      return toTest((value) => typeof value === definition.type)
    case 'number':
      return toTest(Number.isFinite)
    case 'null':
      return toTest((value) => value === null)
    case 'enum':
    case 'literal':
      return toTest((value) => schema._zod.values!.has(value as z.core.util.Primitive))
    case 'any':
    case 'unknown':
      return accept
    case 'optional':
    case 'nullable':
      return buildNullableTest(definition)
    case 'array':
      return buildArrayTest(getTest(definition.element!))
    case 'object':
      return buildObjectTest(definition)
    case 'record':
      return definition.keyType!._zod.values ? undecided : buildRecordTest(definition)
    case 'union':
      return definition.inclusive === false ? undecided : buildUnionTest(definition.options!.map(getTest))
    case 'pipe':
      return buildPipeTest(getTest(definition.in!))
    default:
      return undecided
  }
}

function buildNullableTest({ type, innerType }: Definition): Test {
  const test = getTest(innerType!)
  return type === 'nullable' ? (value) => (value === null ? 'unchanged' : test(value)) : test
}

const buildArrayTest =
  (test: Test): Test =>
  (value) => {
    if (!Array.isArray(value)) return 'rejected'
    for (const element of value) {
      const outcome = test(element)
      if (outcome !== 'unchanged') return outcome
    }
    return 'unchanged'
  }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Zod drops it, so that copies of an object get no other prototype. */
const DROPPED_KEY = '__proto__'

/** A missing property may have a default, so only plain optional ones may be missing. */
function isPlainOptional(schema: z.core.$ZodType): boolean {
  const { type, innerType } = getDefinition(schema)
  return type === 'optional' && innerType!._zod.optin !== 'defaulted'
}

function buildObjectTest({ shape = {}, catchall }: Definition): Test {
  const tests = new Map(Object.entries(shape).map(([key, member]) => [key, getTest(member)]))
  const required = Object.keys(shape).filter((key) => !isPlainOptional(shape[key]!))
  const testOther = catchall && (getDefinition(catchall).type === 'never' ? toTest(() => false) : getTest(catchall))
  return (value) => {
    if (!isObject(value)) return 'rejected'
    for (const key in value) {
      if (key === DROPPED_KEY) return 'unknown'
      const outcome = (tests.get(key) ?? testOther ?? undecided)(value[key])
      if (outcome !== 'unchanged') return outcome
    }
    for (const key of required) if (!Object.hasOwn(value, key)) return 'unknown'
    return 'unchanged'
  }
}

function buildRecordTest({ keyType, valueType }: Definition): Test {
  const testKey = memoizeText(getTest(keyType!))
  const testValue = getTest(valueType!)
  return (value) => {
    if (!isObject(value)) return 'rejected'
    for (const key in value) {
      if (key === DROPPED_KEY || testKey(key) !== 'unchanged') return 'unknown'
      const outcome = testValue(value[key])
      if (outcome !== 'unchanged') return outcome
    }
    return 'unchanged'
  }
}

/** The first option that accepts a value decides, so none before it may be unknown. */
const buildUnionTest =
  (tests: readonly Test[]): Test =>
  (value) => {
    for (const test of tests) {
      const outcome = test(value)
      if (outcome !== 'rejected') return outcome
    }
    return 'rejected'
  }

const buildPipeTest =
  (test: Test): Test =>
  (value) =>
    test(value) === 'rejected' ? 'rejected' : 'unknown'
