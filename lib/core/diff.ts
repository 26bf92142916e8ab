/** The field-by-field difference between two states, for the `changes` of an `*:updated` event. */
import { isDeepStrictEqual } from 'node:util'
import type { FieldChange } from '../../schemas/kit/context.ts'

const IGNORED = new Set(['updatedAt', 'rev'])

export function diffFields(before: object, after: object): FieldChange[] {
  const [previous, current] = [before as Record<string, unknown>, after as Record<string, unknown>]
  return [...new Set([...Object.keys(previous), ...Object.keys(current)])]
    .filter((field) => !IGNORED.has(field) && !isDeepStrictEqual(previous[field], current[field]))
    .map((field) => ({ field, previousValue: previous[field] ?? null, newValue: current[field] ?? null }))
}

export function mergeDefined<T extends object>(before: T, changes: object): T {
  const definedChanges = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(definedChanges) }
}
