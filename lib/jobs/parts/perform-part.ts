import { ApiError } from '../../core/errors.ts'
import type { Part } from './part.ts'

export type PartOutcome = { result: unknown } | { failed: Pick<ApiError, 'code' | 'problems'> }

export async function performPart(part: Part): Promise<PartOutcome> {
  try {
    return { result: await perform(part) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { failed: { code: error.code, problems: error.problems } }
  }
}

async function perform(part: Part): Promise<unknown> {
  if ('store' in part) return (await import('../../files/extract/divided.ts')).storeRange(part.store)
  if ('read' in part) return (await import('../../records/index.ts')).readPart(part.read)
  if ('map' in part) return (await import('../mapping/map-part.ts')).storeMappedPart(part.map)
  return (await import('../../files/export/divided.ts')).uploadExportPart(part.upload)
}
