/** Clusters of values that are probably spellings of the same value. Works on distinct values, not on records. */
import { message } from '../../schemas/messages/index.ts'
import {
  MAX_DISTANCE_COMPARISONS,
  MAX_DISTANCE_VALUES,
  MAX_REPLACEMENTS_PER_EDIT,
} from '../../schemas/quality/limits.ts'
import type { Cluster, ClusterMethod } from '../../schemas/quality/shape.ts'
import { unprocessable } from '../core/errors.ts'
import {
  type DistinctColumn,
  evaluateCell,
  readDistinctColumns,
  type Selection,
  type SheetRef,
} from '../records/index.ts'
import { foldText, KEYS } from './keys.ts'
import { groupNearTexts, TooManyComparisonsError } from './near-texts.ts'

export interface Nearness {
  method: ClusterMethod
  radius: number
}

interface TextCount {
  value: string
  count: number
}

export async function listClusters(
  ref: SheetRef,
  fieldKey: string,
  nearness: Nearness,
  selection: Selection,
): Promise<Cluster[]> {
  const { columns } = await readDistinctColumns(ref, { ...selection, fields: [fieldKey] })
  const toKey = createKey(nearness, columns[0])
  return [...findSharedKeys(columns[0]!, toKey).values()]
    .filter((values) => values.length > 1)
    .map((values) => toCluster(ref, fieldKey, values))
    .sort((a, b) => b.count - a.count)
}

export function createKey({ method, radius }: Nearness, column: DistinctColumn | undefined): (text: string) => string {
  if (method !== 'distance') return KEYS[method]
  const roots = column ? findRoots(column, radius) : new Map<string, string>()
  return (text) => {
    const folded = foldText(text)
    return roots.get(folded) ?? folded
  }
}

function findRoots(column: DistinctColumn, radius: number): Map<string, string> {
  const folded = new Set<string>()
  for (const { value } of column.values()) {
    if (typeof value === 'string') folded.add(foldText(value))
    if (folded.size > MAX_DISTANCE_VALUES)
      throw unprocessable(message('quality.tooManyValues', { field: column.field, count: MAX_DISTANCE_VALUES }))
  }
  const texts = [...folded]
  try {
    const representatives = groupNearTexts(texts, radius, MAX_DISTANCE_COMPARISONS)
    return new Map(
      texts.flatMap((text, at): [string, string][] =>
        representatives[at] === at ? [] : [[text, texts[representatives[at]!]!]],
      ),
    )
  } catch (error) {
    if (!(error instanceof TooManyComparisonsError)) throw error
    throw unprocessable(message('quality.tooManyComparisons', { field: column.field, count: MAX_DISTANCE_COMPARISONS }))
  }
}

/** Stores only values whose hash of the key occurs again: a column of different values needs bytes, no texts. */
function findSharedKeys(column: DistinctColumn, toKey: (text: string) => string): Map<string, TextCount[]> {
  const mask = 2 ** Math.ceil(Math.log2(column.size * 4 + 1)) - 1
  const hashes = new Uint32Array(column.size)
  const occurrences = new Uint8Array(mask + 1)
  let at = 0
  for (const { value } of column.values()) {
    const hash = typeof value === 'string' ? hashText(toKey(value)) & mask : 0
    hashes[at++] = hash
    if (typeof value === 'string' && occurrences[hash]! < 2) occurrences[hash]!++
  }
  const shared = new Map<string, TextCount[]>()
  at = 0
  for (const { value, count } of column.values()) {
    if (occurrences[hashes[at++]!]! < 2 || typeof value !== 'string') continue
    const key = toKey(value)
    const values = shared.get(key)
    if (values) values.push({ value, count })
    else if (key !== '') shared.set(key, [{ value, count }])
  }
  return shared
}

function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash ^ (hash >>> 15)
}

function toCluster(ref: SheetRef, fieldKey: string, values: TextCount[]): Cluster {
  const sorted = values.sort((a, b) => b.count - a.count)
  const { value: to } = sorted.find(({ value }) => evaluateCell(ref, fieldKey, value)!.valid) ?? sorted[0]!
  const replacements = sorted.filter(({ value }) => value !== to).map(({ value: from }) => ({ from, to }))
  return {
    count: sorted.reduce((sum, { count }) => sum + count, 0),
    size: sorted.length,
    values: sorted.slice(0, MAX_REPLACEMENTS_PER_EDIT),
    suggestion: to,
    fix: { type: 'replace', fieldKey, replacements: replacements.slice(0, MAX_REPLACEMENTS_PER_EDIT) },
  }
}
