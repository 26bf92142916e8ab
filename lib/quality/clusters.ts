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
import { createKeyMaker, foldText, KEYS, type KeyMaker } from './keys.ts'
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
  return [...findSharedKeys(columns[0]!, createKey(nearness, columns[0])).values()]
    .filter((values) => values.length > 1)
    .map((values) => toCluster(ref, fieldKey, values))
    .sort((a, b) => b.count - a.count)
}

export function createKey({ method, radius }: Nearness, column: DistinctColumn | undefined): KeyMaker {
  if (method !== 'distance') return KEYS[method]
  const roots = column ? findRoots(column, radius) : new Map<string, string>()
  return createKeyMaker((text) => {
    const folded = foldText(text)
    return roots.get(folded) ?? folded
  })
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

/** Decodes only values whose hash of the key occurs again: a column of different values needs bytes, no texts. */
function findSharedKeys(column: DistinctColumn, keys: KeyMaker): Map<string, TextCount[]> {
  const mask = 2 ** Math.min(MAX_HASH_BITS, Math.ceil(Math.log2(column.size * BITS_PER_VALUE + 1))) - 1
  const hashes = hashKeys(column, keys, mask)
  const isRepeated = findRepeated(hashes, mask)
  const shared = new Map<string, TextCount[]>()
  for (let index = 0; index < hashes.length; index++) {
    if (hashes[index]! < 0 || !isRepeated(hashes[index]!)) continue
    const { value, count } = column.getValue(index) as TextCount
    const key = keys.toKey(value)
    const values = shared.get(key)
    if (values) values.push({ value, count })
    else if (key !== '') shared.set(key, [{ value, count }])
  }
  return shared
}

/** A value shares its hash by chance with a probability of at most 1 to 32. */
const BITS_PER_VALUE = 32
const MAX_HASH_BITS = 30

function findRepeated(hashes: Int32Array, mask: number): (hash: number) => boolean {
  const [seen, repeated] = [new Uint8Array((mask >>> 3) + 1), new Uint8Array((mask >>> 3) + 1)]
  for (const hash of hashes) {
    if (hash < 0) continue
    const bit = 1 << (hash & 7)
    if (seen[hash >>> 3]! & bit) repeated[hash >>> 3]! |= bit
    else seen[hash >>> 3]! |= bit
  }
  return (hash) => (repeated[hash >>> 3]! & (1 << (hash & 7))) > 0
}

/** Values that are not texts have no key: their hash is -1. */
function hashKeys(column: DistinctColumn, { toKey, hashKey, hashBytes }: KeyMaker, mask: number): Int32Array {
  const hashes = new Int32Array(column.size).fill(-1)
  column.scan((index, plainText) => {
    if (plainText && hashBytes) hashes[index] = hashBytes(plainText.bytes, plainText.from, plainText.to) & mask
    else {
      const { value } = column.getValue(index)
      if (typeof value === 'string') hashes[index] = hashKey(toKey(value)) & mask
    }
  })
  return hashes
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
