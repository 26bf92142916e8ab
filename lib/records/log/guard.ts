/**
 * When a guarded entry need not be planned anew although others came in between: what it says of shared values rests on
 * some values and rows, and the others touched none of them. Pure.
 */

import { type Hashes, hexOf } from '../bytes/hash.ts'
import type { UniqueOutcome } from '../rules/unique.ts'
import type { LoadedEntry } from './entries.ts'
import type { Coordinate } from './ids.ts'

/** What an outcome under one rule rests on. */
export interface Watch {
  rule: string
  hashes: ReadonlySet<string>
  rows: ReadonlySet<string>
}

const nameOf = ({ key, row }: Coordinate): string => `${key}/${row}`

/**
 * @param changed rows whose value the write changes
 * @param before all their old values: who takes one of them flags a row that the write takes for unflagged
 */
export function watchOf(
  rule: string,
  { asked, found }: UniqueOutcome,
  changed: readonly Coordinate[],
  before: readonly Hashes[],
): Watch {
  const hashes = new Set<string>()
  for (const { hi, lo } of [asked, ...before]) for (let i = 0; i < hi.length; i++) hashes.add(hexOf(hi[i]!, lo[i]!))
  return { rule, hashes, rows: new Set([...found, ...changed].map(nameOf)) }
}

/** Did none of these entries touch what is watched? Told of patches alone: they carry the hashes they bring. */
export const isUntouched = (watches: readonly Watch[], entries: readonly LoadedEntry[]): boolean =>
  entries.every(({ entry, body }) => {
    if (!entry.g) return true
    if (entry.k !== 'p' || !('p' in body) || 'c' in body || 'a' in body || 'd' in body) return false
    return (body.h ?? []).every(([rule, key, rows, hashes]) =>
      watches.every(
        (watch) =>
          watch.rule !== rule ||
          rows.every((row, i) => !watch.rows.has(nameOf({ key, row })) && !watch.hashes.has(String(hashes[i]))),
      ),
    )
  })
