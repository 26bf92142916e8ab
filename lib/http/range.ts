export interface ByteRange {
  start: number
  /** Exclusive. */
  end: number
}

export function parseRange(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return start < end ? { start, end } : 'none'
}
