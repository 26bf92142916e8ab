export interface Row {
  startRow(row: number): void
  text(column: number, text: string): void
  copy(column: number, source: Uint8Array, from: number, to: number): void
  endRow(row: number): void
  end?(): void
}

/** Rows and columns of merged cells: rows from 1, columns from 0. */
export interface MergedRange {
  top: number
  bottom: number
  left: number
  right: number
}

export interface WorkbookSheet {
  name: string
  hidden: boolean
  /** Bytes, or whatever `read` counts. */
  size: number
  /** Yields how much of `size` is read; may be called several times. */
  read(row: Row): AsyncGenerator<number>
  readMergedRanges(): AsyncIterable<MergedRange>
}

export interface SheetList {
  sheets: readonly WorkbookSheet[]
  releaseCaches(): void
}
