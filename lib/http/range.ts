/** The header `Range` (RFC 9110, 14.2): which bytes of a file are asked for. */

export interface ByteRange {
  start: number
  /** Past the last. */
  end: number
}

/** Undefined when the whole is meant, as for several ranges and for what is none; `none` when there are no such bytes. */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return start < end ? { start, end } : 'none'
}
