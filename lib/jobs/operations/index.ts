/** What the platform performs, by the offer's name: one line each. */
import type { Offer } from '../offers/offer.ts'
import { exportAgent } from './agent-export.ts'
import { exportSheet, exportWorkbook } from './export.ts'
import { extract } from './file-extract.ts'
import type { Performer } from './performer.ts'
import { deleteRecords } from './workbook-delete-records.ts'
import { findReplace } from './workbook-find-replace.ts'
import { map } from './workbook-map.ts'
import { mutateRecords } from './workbook-mutate-records.ts'

export const PERFORMERS: readonly Performer[] = [
  extract,
  map,
  deleteRecords,
  mutateRecords,
  findReplace,
  exportSheet,
  exportWorkbook,
  exportAgent,
]

/** Who performs what is offered. Throws for an offer nobody performs: a mistake of ours. */
export function performerOf({ operation: { name } }: Offer): Performer {
  const found = PERFORMERS.find(({ operation }) => operation.name === name)
  if (!found) throw new Error(`${name} is offered but not performed: add it to lib/jobs/operations/index.ts.`)
  return found
}
