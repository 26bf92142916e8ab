import type { ExportRequest } from '../../files/export/divided.ts'
import type { RangeRequest } from '../../files/extract/divided.ts'
import type { MapRequest } from '../mapping/map-part.ts'

/** A share of a job that one function works on. JSON. */
export type Part = { store: RangeRequest } | { map: MapRequest } | { upload: ExportRequest }
