import { countRecords, type PackedBatch, type RowRange, type SheetRef, scanColumns } from '../../records/index.ts'

/** A sheet without commits has no records. */
export const countSourceRecords = async (source: SheetRef, commitId: string | undefined): Promise<number> =>
  commitId === undefined ? 0 : (await countRecords(source, { asOf: commitId })).total

export async function* scanSource(
  source: SheetRef,
  commitId: string | undefined,
  fields: readonly string[],
  rows?: RowRange,
): AsyncGenerator<PackedBatch> {
  if (commitId !== undefined) yield* scanColumns(source, { fields, asOf: commitId, rows })
}
