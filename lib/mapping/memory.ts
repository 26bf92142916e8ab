/** What was accepted before, as suggestions use it: added to, and recalled by how near it was accepted. Pure. */

import type { EnumValue } from '../../schemas/mapping.ts'
import type { Arrow, Memory } from '../entities/mapping-memories.ts'
import { compact } from './words.ts'

/** What is accepted now: a source field, what it fills, and what its values become. */
export interface Accepted {
  source: string
  field: string
  values: readonly { sourceValue: EnumValue; destinationValue: EnumValue }[]
}

/** The oldest are forgotten beyond these. */
const ARROWS = 5000
const TRANSLATIONS = 5000
/** Longer texts are no options. */
const VALUE_LENGTH = 200

/** The memory with what was accepted now; a source name fills one field at a time, the last one told. */
export function remembering(
  before: Memory,
  accepted: readonly Accepted[],
  { at, spaceId }: { at: string; spaceId?: string | undefined },
): Memory {
  const arrows = new Map(before.arrows.map((arrow) => [keyOf(arrow.source, arrow.field), arrow]))
  const translations = new Map(before.translations.map((one) => [keyOf(one.from, one.field), one]))
  for (const { source, field, values } of accepted) {
    const name = compact(source) || source
    const known = arrows.get(keyOf(name, field))
    arrows.delete(keyOf(name, field))
    arrows.set(keyOf(name, field), {
      field,
      source: name,
      count: (known?.count ?? 0) + 1,
      at,
      ...(spaceId ? { spaceId } : {}),
    })
    for (const { sourceValue, destinationValue } of values) {
      const from = String(sourceValue).trim()
      if (from.length > VALUE_LENGTH) continue
      translations.delete(keyOf(from, field))
      translations.set(keyOf(from, field), { field, from, to: destinationValue, at })
    }
  }
  return { arrows: [...arrows.values()].slice(-ARROWS), translations: [...translations.values()].slice(-TRANSLATIONS) }
}

const keyOf = (...parts: string[]): string => JSON.stringify(parts)

/** How sure an accepted arrow makes, by where it was accepted. */
const NEAR = { space: 0.99, environment: 0.98, account: 0.96 } as const

export interface Recall {
  /** How sure it is that the source field of this name fills the field of this key; undefined when nothing was accepted. */
  arrow(sourceName: string, field: string): number | undefined
  /** Was the source name accepted for any field? */
  knows(sourceName: string): boolean
  /** What a value became in this field. */
  translation(field: string, value: EnumValue): EnumValue | undefined
}

/** @param memories of one account, of sheets of one name */
export function recall(
  memories: readonly (Memory & { environmentId: string })[],
  here: { environmentId: string; spaceId?: string | undefined },
): Recall {
  const best = new Map<string, { arrow: Arrow; worth: number }>()
  for (const { environmentId, arrows } of memories)
    for (const arrow of arrows) {
      const worth = nearness(arrow, environmentId, here)
      const known = best.get(arrow.source)
      if (!known || worth > known.worth || (worth === known.worth && arrow.at > known.arrow.at))
        best.set(arrow.source, { arrow, worth })
    }
  const translations = new Map<string, EnumValue>()
  const inOrder = memories.flatMap(({ environmentId, translations: of }) =>
    of.map((one) => ({ ...one, own: environmentId === here.environmentId ? 1 : 0 })),
  )
  for (const { field, from, to } of inOrder.sort((a, b) => a.own - b.own || (a.at < b.at ? -1 : 1)))
    translations.set(keyOf(field, from), to)
  // Asked for each pair of fields.
  const names = new Map<string, string>()
  const nameFor = (sourceName: string): string => {
    const name = names.get(sourceName) ?? (compact(sourceName) || sourceName)
    names.set(sourceName, name)
    return name
  }
  const arrowOf = (sourceName: string) => best.get(nameFor(sourceName))
  return {
    arrow(sourceName, field) {
      const found = arrowOf(sourceName)
      return found?.arrow.field === field ? found.worth : undefined
    },
    knows: (sourceName) => arrowOf(sourceName) !== undefined,
    translation: (field, value) => translations.get(keyOf(field, String(value).trim())),
  }
}

function nearness(
  arrow: Arrow,
  environmentId: string,
  here: { environmentId: string; spaceId?: string | undefined },
): number {
  if (here.spaceId !== undefined && arrow.spaceId === here.spaceId) return NEAR.space
  return environmentId === here.environmentId ? NEAR.environment : NEAR.account
}

/** What memories of a sheet are kept under. */
export const memoryName = ({ slug, name }: { slug?: string | undefined; name: string }): string =>
  compact(slug ?? name) || (slug ?? name)
