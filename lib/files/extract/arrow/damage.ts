import { message } from '../../../../schemas/messages/index.ts'
import { type ApiError, unprocessable } from '../../../core/errors.ts'
import { isDecodingError } from '../decoding-error.ts'

export const createDamagedError = (problem: string): ApiError =>
  unprocessable(message('files.arrowDamaged', { problem }))

export function decode<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toFileError(error)
  }
}

export function toFileError(error: unknown): unknown {
  if (error instanceof TypeError) return createDamagedError('a batch is incomplete')
  return isDecodingError(error) ? createDamagedError(error.message) : error
}
