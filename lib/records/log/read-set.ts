/** Decides whether a guarded plan is still valid after concurrent appends: nothing it read was touched. */

import { type Hashes, toHex } from '../columns/hash.ts'
import type { LoadedEntry } from '../format/entries.ts'
import type { Coordinate } from '../format/ids.ts'

export interface ReadSet {
  rule: string
  hashes: ReadonlySet<string>
  rows: ReadonlySet<string>
}

const formatRowKey = ({ key, row }: Coordinate): string => `${key}/${row}`

/** @param before old values; a concurrent write of one would flag a row this plan assumes is unflagged */
export function buildReadSet(
  rule: string,
  { queried, found }: { queried: Hashes; found: readonly Coordinate[] },
  changedRows: readonly Coordinate[],
  oldValues: readonly Hashes[],
): ReadSet {
  const hashes = new Set<string>()
  for (const { hi, lo } of [queried, ...oldValues])
    for (let i = 0; i < hi.length; i++) hashes.add(toHex(hi[i]!, lo[i]!))
  return { rule, hashes, rows: new Set([...found, ...changedRows].map(formatRowKey)) }
}

/** Recognizes only patches, which carry the hashes they write; any other guarded entry conflicts. */
export const isUntouched = (readSets: readonly ReadSet[], entries: readonly LoadedEntry[]): boolean =>
  entries.every(({ entry, body }) => {
    if (!entry.g) return true
    if (entry.k !== 'p' || !('p' in body) || 'c' in body || 'a' in body || 'd' in body) return false
    return (body.h ?? []).every(([rule, key, rows, hashes]) =>
      readSets.every(
        (readSet) =>
          readSet.rule !== rule ||
          rows.every(
            (row, i) => !readSet.rows.has(formatRowKey({ key, row })) && !readSet.hashes.has(String(hashes[i])),
          ),
      ),
    )
  })
