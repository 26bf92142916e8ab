/** Byte ranges. Like S3, ignores multiple or malformed ranges and sends the whole object. */
import { S3Error } from './errors.ts'

export interface ByteRange {
  start: number
  end: number
}

export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (start <= end) return { start, end }
  throw new S3Error('InvalidRange', undefined, { RangeRequested: header ?? '', ActualObjectSize: String(sizeBytes) })
}
