import type { LineGroup } from '../../../schemas/programs/other-lines.ts'
import type { Rule } from '../../../schemas/programs/rules.ts'
import type { RowRange, StoredPart } from '../../records/index.ts'

export interface MapRequest {
  rules: readonly Rule[]
  reads: readonly string[]
  sourceId: string
  destinationId: string
  commitId: string
  rows: RowRange
}

export interface MappedPart {
  stored: StoredPart
  length: number
  changedCells: (readonly [rule: number, cells: number])[]
  otherLines: LineGroup[]
}

export type StoreMappedParts = (
  requests: readonly MapRequest[],
  onStored: (part: MappedPart) => Promise<void>,
) => Promise<MappedPart[]>
