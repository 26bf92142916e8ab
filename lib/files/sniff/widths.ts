/** Finds the columns of text that is aligned by position, from all its lines. Splits only with evidence. Pure. */
import { MAX_FIELDS_PER_SHEET } from '../../../schemas/sheets/shape.ts'
import { detectKind } from './kinds.ts'
import { isBlank } from './rows.ts'

const MIN_LINES = 5
/** A single space may be part of all values, such as `AB 123`. */
const MIN_GAP = 2
const MAX_LINE_CHARACTERS = 10_000
const MAX_SAMPLE_LINES = 200
const TYPED_SHARE = 0.8
const SPLIT_SHARE = 0.9
const RULER = /^\s*[-=]+(?: +[-=]+)+\s*$/

export class ColumnScan {
  readonly #used = new Uint8Array(MAX_LINE_CHARACTERS)
  readonly #sample: string[] = []
  #ruler: string | undefined
  #length = 0
  #isRejected = false

  add(line: string): void {
    if (this.#isRejected || isBlank(line)) return
    if (RULER.test(line)) {
      this.#ruler ??= line
      return
    }
    this.#isRejected = line.includes('\t') || line.length > MAX_LINE_CHARACTERS
    if (this.#isRejected) return
    for (let at = 0; at < line.length; at++) if (line.charCodeAt(at) !== 32) this.#used[at] = 1
    this.#length = Math.max(this.#length, line.trimEnd().length)
    if (this.#sample.length < MAX_SAMPLE_LINES) this.#sample.push(line)
  }

  findWidths(): number[] | undefined {
    if (this.#isRejected || this.#sample.length < MIN_LINES) return undefined
    const starts = this.#joinEmptyColumns(this.#findStarts())
    if (starts.length < 2 || starts.length >= MAX_FIELDS_PER_SHEET || !this.#isTable(starts)) return undefined
    return starts.map((start, column) => (starts[column + 1] ?? this.#length) - start)
  }

  #findStarts(): number[] {
    const starts = [0]
    const firstUsed = this.#used.indexOf(1)
    for (let gap = firstUsed; gap < this.#length; gap++) {
      if (this.#used[gap] === 1) continue
      const next = this.#used.indexOf(1, gap)
      const isRuled = this.#ruler?.slice(gap, next).includes(' ')
      if (this.#ruler ? isRuled : next - gap >= MIN_GAP) starts.push(next)
      gap = next
    }
    return starts
  }

  #joinEmptyColumns(starts: readonly number[]): number[] {
    const body = this.#sample.slice(1)
    const hasValues = (column: number) =>
      body.some((line) => !isBlank(line.slice(starts[column], starts[column + 1] ?? this.#length)))
    return starts.filter((_, column) => column === 0 || hasValues(column))
  }

  #isTable(starts: readonly number[]): boolean {
    const rows = this.#sample.map((line) => starts.map((start, column) => line.slice(start, starts[column + 1])))
    const split = rows.filter((cells) => cells.filter((cell) => !isBlank(cell)).length > 1)
    return split.length >= rows.length * SPLIT_SHARE && starts.some((_, column) => isTyped(rows.slice(1), column))
  }
}

function isTyped(rows: readonly (readonly string[])[], column: number): boolean {
  const kinds = rows.map((cells) => detectKind(cells[column]!)).filter((kind) => kind !== 'blank')
  return kinds.length > 1 && kinds.filter((kind) => kind !== 'text').length >= kinds.length * TYPED_SHARE
}
