/** Rejects misspelled names such as `environmentID`. Other unknown names are ignored: clients send resources back. */

import type * as z from 'zod'
import { editDistance } from '../../schemas/kit/nearest.ts'
import { message } from '../../schemas/messages/index.ts'

interface Problem {
  key: string
  message: string
}

const MIN_LENGTH = 4
const LONG_NAME_LENGTH = 8

const isTypo = (name: string, known: string): boolean => {
  if (name.toLowerCase() === known.toLowerCase()) return true
  if (name.length < MIN_LENGTH) return false
  const limit = name.length < LONG_NAME_LENGTH ? 1 : 2
  return editDistance(name, known, limit) <= limit
}

const WRAPPED_SHAPE_KEYS = ['innerType', 'in'] as const

interface Definition {
  type: string
  shape?: Record<string, z.core.$ZodType>
  catchall?: unknown
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
}

export function findTypos(shape: z.core.$ZodType | undefined, value: unknown, path = ''): Problem[] {
  if (shape === undefined || typeof value !== 'object' || value === null) return []
  const definition = shape._zod.def as unknown as Definition
  if (definition.type === 'array' && Array.isArray(value))
    return value.flatMap((entry, index) => findTypos(definition.element, entry, joinPath(path, index)))
  if (definition.type === 'object' && !Array.isArray(value)) return findTyposInObject(definition, value, path)
  const wrapped = WRAPPED_SHAPE_KEYS.map((name) => definition[name]).find((inner) => inner !== undefined)
  return findTypos(wrapped, value, path)
}

function findTyposInObject({ shape = {}, catchall }: Definition, value: object, path: string): Problem[] {
  const known = Object.keys(shape)
  return Object.entries(value).flatMap(([name, member]) => {
    if (Object.hasOwn(shape, name)) return findTypos(shape[name], member, joinPath(path, name))
    const suggestion = catchall === undefined ? known.find((candidate) => isTypo(name, candidate)) : undefined
    return suggestion === undefined
      ? []
      : [{ key: joinPath(path, name), message: message('shape.unknownName', { suggestion }) }]
  })
}

const joinPath = (path: string, name: string | number): string => (path === '' ? `${name}` : `${path}.${name}`)
