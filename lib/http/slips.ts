/**
 * Names in a request that nothing reads but that are almost one that is read: `environmentID`, `pagesize`. They are refused, as
 * whoever wrote them expects an effect. Other unknown names are ignored: clients send things back with more than a shape has.
 */
import type * as z from 'zod'
import { editDistance } from '../../schemas/nearest.ts'

interface Problem {
  key: string
  message: string
}

/** Shorter names are alike by chance. */
const SHORTEST = 4
/** From this length on two letters may be wrong. */
const LONG = 8

const isSlip = (name: string, known: string): boolean => {
  if (name.toLowerCase() === known.toLowerCase()) return true
  if (name.length < SHORTEST) return false
  const limit = name.length < LONG ? 1 : 2
  return editDistance(name, known, limit) <= limit
}

/** Shapes with one shape inside them, and what they call it. */
const INSIDE = ['innerType', 'in'] as const

interface Definition {
  type: string
  shape?: Record<string, z.core.$ZodType>
  catchall?: unknown
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
}

/** Problems of the value's names, at any depth that the shape names its properties to. */
export function slipsIn(shape: z.core.$ZodType | undefined, value: unknown, path = ''): Problem[] {
  if (shape === undefined || typeof value !== 'object' || value === null) return []
  const definition = shape._zod.def as unknown as Definition
  if (definition.type === 'array' && Array.isArray(value))
    return value.flatMap((entry, index) => slipsIn(definition.element, entry, joined(path, index)))
  if (definition.type === 'object' && !Array.isArray(value)) return inObject(definition, value, path)
  const inside = INSIDE.map((name) => definition[name]).find((inner) => inner !== undefined)
  return slipsIn(inside, value, path)
}

function inObject({ shape = {}, catchall }: Definition, value: object, path: string): Problem[] {
  const known = Object.keys(shape)
  return Object.entries(value).flatMap(([name, member]) => {
    if (Object.hasOwn(shape, name)) return slipsIn(shape[name], member, joined(path, name))
    // What takes any further property has no unknown ones.
    const meant = catchall === undefined ? known.find((one) => isSlip(name, one)) : undefined
    return meant === undefined
      ? []
      : [{ key: joined(path, name), message: `is not known here. Did you mean ${meant}?` }]
  })
}

const joined = (path: string, name: string | number): string => (path === '' ? `${name}` : `${path}.${name}`)
