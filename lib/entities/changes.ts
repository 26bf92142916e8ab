/** What changed between two states of a thing, field by field, for the `changes` of an `*:updated` event. */
import { isDeepStrictEqual } from 'node:util'
import type { FieldChange } from '../../schemas/context.ts'

/** Bookkeeping is not a change. */
const IGNORED = new Set(['updatedAt', 'rev'])

export function changesBetween(before: object, after: object): FieldChange[] {
  const [old, fresh] = [before as Record<string, unknown>, after as Record<string, unknown>]
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    .filter((field) => !IGNORED.has(field) && !isDeepStrictEqual(old[field], fresh[field]))
    .map((field) => ({ field, previousValue: old[field] ?? null, newValue: fresh[field] ?? null }))
}

/** `changes` over `before`; a field given as undefined keeps its value. */
export function merged<T extends object>(before: T, changes: object): T {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given) }
}
