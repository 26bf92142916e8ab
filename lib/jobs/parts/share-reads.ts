import { toSheetRef } from '../../commits/sheet-ref.ts'
import { processEnv } from '../../core/env.ts'
import { ApiError } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { PartRequest, SheetRef } from '../../records/index.ts'

const MAX_ATTEMPTS = 2

/** A sheet whose reads several functions share if it is large. */
export const shareReads = (sheet: StoredSheet): SheetRef => ({
  ...toSheetRef(sheet),
  ...(processEnv().PARTS_AT_ONCE > 1 ? { readPart } : {}),
})

async function readPart(request: PartRequest): Promise<unknown> {
  const { runPart } = await import('./run-parts.ts')
  try {
    return await runPart({ read: request }, MAX_ATTEMPTS)
  } catch (error) {
    if (error instanceof ApiError) throw error
    const { message } = await import('../../../schemas/messages/index.ts')
    throw new ApiError('unavailable', [{ key: 'unavailable', message: message('requests.partFailed') }], {
      cause: error,
    })
  }
}
