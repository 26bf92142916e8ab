/** Maps a range of the source's records, for functions that map one sheet side by side. */
import type { LineGroup } from '../../../schemas/programs/other-lines.ts'
import type { Rule } from '../../../schemas/programs/rules.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { notFound } from '../../core/errors.ts'
import { Sheets } from '../../entities/sheets.ts'
import { type RowRange, type StoredPart, storePart } from '../../records/index.ts'
import { mapRecords } from './map-records.ts'

/** JSON. */
export interface MapRequest {
  /** Validated. */
  rules: readonly Rule[]
  reads: readonly string[]
  sourceId: string
  destinationId: string
  commitId: string
  rows: RowRange
}

/** JSON. */
export interface MappedPart {
  stored: StoredPart
  /** Records of the source. */
  length: number
  changedCells: (readonly [rule: number, cells: number])[]
  otherLines: LineGroup[]
}

export type StoreMappedParts = (
  requests: readonly MapRequest[],
  onStored: (part: MappedPart) => Promise<void>,
) => Promise<MappedPart[]>

export async function storeMappedPart(request: MapRequest): Promise<MappedPart> {
  const { rules, reads, sourceId, destinationId, commitId, rows } = request
  const [source, destination] = await Promise.all([Sheets.get(sourceId), Sheets.get(destinationId)])
  if (!source) throw notFound('sheet', sourceId)
  if (!destination) throw notFound('sheet', destinationId)
  const mapped = await mapRecords({
    ...{ rules, reads, commitId, rows, sheets: { source, destination } },
    progress: async () => {},
  })
  const stored = await storePart(toSheetRef(destination), mapped.readRows())
  const { changedCells, otherLines } = mapped.summarize()
  return { stored, length: rows.to - rows.from, changedCells: [...changedCells!], otherLines }
}
