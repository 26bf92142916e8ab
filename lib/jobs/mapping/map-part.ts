import { toSheetRef } from '../../commits/sheet-ref.ts'
import { notFound } from '../../core/errors.ts'
import { Sheets } from '../../entities/sheets.ts'
import { storePart } from '../../records/index.ts'
import { mapRecords } from './map-records.ts'
import type { MappedPart, MapRequest } from './map-request.ts'

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
