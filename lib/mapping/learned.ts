/** Learned mappings: what was accepted before, recalled with a confidence by how close it was accepted. Pure. */

import type { EnumValue } from '../../schemas/programs/plan.ts'
import type { LearnedEdge, LearnedMappings } from '../entities/mapping-memories.ts'
import { compact } from './tokenize.ts'

export interface Accepted {
  source: string
  field: string
  values: readonly { sourceValue: EnumValue; destinationValue: EnumValue }[]
}

const MAX_EDGES = 5000
const MAX_TRANSLATIONS = 5000
const MAX_VALUE_CHARACTERS = 200

export function learn(
  memory: LearnedMappings,
  accepted: readonly Accepted[],
  { at, spaceId }: { at: string; spaceId?: string | undefined },
): LearnedMappings {
  const edges = new Map(memory.edges.map((edge) => [buildKey(edge.source, edge.field), edge]))
  const translations = new Map(memory.translations.map((entry) => [buildKey(entry.from, entry.field), entry]))
  for (const { source, field, values } of accepted) {
    const name = compact(source) || source
    const existing = edges.get(buildKey(name, field))
    edges.delete(buildKey(name, field))
    edges.set(buildKey(name, field), {
      field,
      source: name,
      count: (existing?.count ?? 0) + 1,
      at,
      ...(spaceId ? { spaceId } : {}),
    })
    for (const { sourceValue, destinationValue } of values) {
      const from = String(sourceValue).trim()
      if (from.length > MAX_VALUE_CHARACTERS) continue
      translations.delete(buildKey(from, field))
      translations.set(buildKey(from, field), { field, from, to: destinationValue, at })
    }
  }
  return {
    edges: [...edges.values()].slice(-MAX_EDGES),
    translations: [...translations.values()].slice(-MAX_TRANSLATIONS),
  }
}

const buildKey = (...parts: string[]): string => JSON.stringify(parts)

const CONFIDENCE_BY_SCOPE = { space: 0.99, environment: 0.98, account: 0.96 } as const

export interface MappingLookup {
  getConfidence(sourceName: string, field: string): number | undefined
  hasSource(sourceName: string): boolean
  translate(field: string, value: EnumValue): EnumValue | undefined
}

export function createLookup(
  memories: readonly (LearnedMappings & { environmentId: string })[],
  scope: { environmentId: string; spaceId?: string | undefined },
): MappingLookup {
  const best = new Map<string, { edge: LearnedEdge; confidence: number }>()
  for (const { environmentId, edges } of memories)
    for (const edge of edges) {
      const confidence = getProximity(edge, environmentId, scope)
      const existing = best.get(edge.source)
      if (
        !existing ||
        confidence > existing.confidence ||
        (confidence === existing.confidence && edge.at > existing.edge.at)
      )
        best.set(edge.source, { edge, confidence })
    }
  const translations = new Map<string, EnumValue>()
  const candidates = memories.flatMap(({ environmentId, translations: entries }) =>
    entries.map((entry) => ({ ...entry, own: environmentId === scope.environmentId ? 1 : 0 })),
  )
  for (const { field, from, to } of candidates.sort((a, b) => a.own - b.own || (a.at < b.at ? -1 : 1)))
    translations.set(buildKey(field, from), to)
  const nameCache = new Map<string, string>()
  const normalizeName = (sourceName: string): string => {
    const name = nameCache.get(sourceName) ?? (compact(sourceName) || sourceName)
    nameCache.set(sourceName, name)
    return name
  }
  const findBest = (sourceName: string) => best.get(normalizeName(sourceName))
  return {
    getConfidence(sourceName, field) {
      const match = findBest(sourceName)
      return match?.edge.field === field ? match.confidence : undefined
    },
    hasSource: (sourceName) => findBest(sourceName) !== undefined,
    translate: (field, value) => translations.get(buildKey(field, String(value).trim())),
  }
}

function getProximity(
  edge: LearnedEdge,
  environmentId: string,
  scope: { environmentId: string; spaceId?: string | undefined },
): number {
  if (scope.spaceId !== undefined && edge.spaceId === scope.spaceId) return CONFIDENCE_BY_SCOPE.space
  return environmentId === scope.environmentId ? CONFIDENCE_BY_SCOPE.environment : CONFIDENCE_BY_SCOPE.account
}

export const getLearnedName = ({ slug, name }: { slug?: string | undefined; name: string }): string =>
  compact(slug ?? name) || (slug ?? name)
