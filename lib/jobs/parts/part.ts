import type { ExportRequest } from '../../files/export/divided.ts'
import type { RangeRequest } from '../../files/extract/divided.ts'
import type { PartRequest } from '../../records/index.ts'
import type { MapRequest } from '../mapping/map-request.ts'

export type Part = { store: RangeRequest } | { map: MapRequest } | { upload: ExportRequest } | { read: PartRequest }
