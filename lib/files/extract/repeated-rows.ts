/** Finds rows that repeat the header or a title above it, as in lists printed page by page. Pure. */

interface Pattern {
  cells: readonly Buffer[]
  first: number
}

const MIN_HEADER_CELLS = 2
const SPACE = 32
const RULER_BYTES: ReadonlySet<number> = new Set(Buffer.from('-=_+|'))
const MIN_RULER_LENGTH = 3
const MIN_ONLY_RULER_LENGTH = 10

export class RepeatedRows {
  count = 0
  readonly #patterns: readonly Pattern[]
  readonly #possibleFirstBytes = new Uint8Array(256)

  constructor(rows: readonly (readonly string[])[]) {
    this.#patterns = rows.flatMap(toPattern)
    const patternBytes = this.#patterns.map(({ cells, first }) => cells[first]![0]!)
    for (const byte of [SPACE, ...RULER_BYTES, ...patternBytes]) this.#possibleFirstBytes[byte] = 1
  }

  /** Counts the row if it repeats one of the rows above, or is a line of dashes. */
  omits(bytes: Uint8Array, starts: Uint32Array, ends: Uint32Array, base: number, count: number): boolean {
    let cell = base
    while (cell < base + count && starts[cell] === ends[cell]) cell++
    if (cell === base + count || this.#possibleFirstBytes[bytes[starts[cell]!]!] === 0) return false
    const row: RowBytes = { bytes, starts, ends, base, count }
    if (!this.#patterns.some((pattern) => isEqual(row, pattern)) && !isRuler(row)) return false
    this.count++
    return true
  }
}

/** Undefined for a table whose header is too short to be told from a record. */
export function findRepeatedRows(
  lines: readonly (readonly string[])[],
  titles: readonly (readonly string[])[],
): RepeatedRows | undefined {
  const isShort = lines.every((line) => line.filter((name) => name.trim() !== '').length < MIN_HEADER_CELLS)
  return isShort ? undefined : new RepeatedRows([...lines, ...titles])
}

interface RowBytes {
  bytes: Uint8Array
  starts: Uint32Array
  ends: Uint32Array
  base: number
  count: number
}

function toPattern(texts: readonly string[]): Pattern[] {
  const cells = texts.map((text) => Buffer.from(text.trim()))
  const first = cells.findIndex(({ length }) => length > 0)
  return first < 0 ? [] : [{ cells: cells.slice(0, cells.findLastIndex(({ length }) => length > 0) + 1), first }]
}

function isEqual({ bytes, starts, ends, base, count }: RowBytes, { cells, first }: Pattern): boolean {
  if (count < cells.length || !isEqualCell(bytes, starts[base + first]!, ends[base + first]!, cells[first]!))
    return false
  for (let cell = 0; cell < count; cell++) {
    const [start, end] = [starts[base + cell]!, ends[base + cell]!]
    if (!isEqualCell(bytes, start, end, cells[cell] ?? NO_BYTES)) return false
  }
  return true
}

const NO_BYTES = Buffer.alloc(0)

function isEqualCell(bytes: Uint8Array, start: number, end: number, expected: Buffer): boolean {
  let [from, to] = [start, end]
  while (from < to && bytes[from] === SPACE) from++
  while (to > from && bytes[to - 1] === SPACE) to--
  if (to - from !== expected.length) return false
  for (let at = 0; at < expected.length; at++) if (bytes[from + at] !== expected[at]) return false
  return true
}

function isRuler({ bytes, starts, ends, base, count }: RowBytes): boolean {
  let [filled, shortest] = [0, Number.POSITIVE_INFINITY]
  for (let cell = base; cell < base + count; cell++) {
    const [start, end] = [starts[cell]!, ends[cell]!]
    if (start === end) continue
    for (let at = start; at < end; at++) if (!RULER_BYTES.has(bytes[at]!)) return false
    filled++
    shortest = Math.min(shortest, end - start)
  }
  return shortest >= (filled === 1 ? MIN_ONLY_RULER_LENGTH : MIN_RULER_LENGTH) && filled > 0
}
