import { ApiError } from '../../core/errors.ts'

/** Errors of decoding are faults of the file; those of reading bytes have other names or codes. */
export function isDecodingError(error: unknown): error is Error {
  if (error instanceof ApiError || !(error instanceof Error)) return false
  const { code = '' } = error as Error & { code?: string }
  return ['Error', 'RangeError', 'TypeError'].includes(error.name) && (code === '' || /^Z_|^ERR_/.test(code))
}
