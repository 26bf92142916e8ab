/**
 * Byte ranges of one object. S3 serves a single range; several, or a malformed one, are ignored and the whole is sent.
 */
import { S3Error } from './errors.ts'

/** Both ends inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/** The range a Range header asks for; undefined for the whole. @throws InvalidRange when nothing of it exists. */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (start <= end) return { start, end }
  throw new S3Error('InvalidRange', undefined, { RangeRequested: header ?? '', ActualObjectSize: String(sizeBytes) })
}
