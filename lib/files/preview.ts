/** Previews the first rows of a file, numbered as in extraction, so that a user can choose the header row. */

import { MAX_PREVIEW_BYTES, PREVIEW_LIMITS } from '../../schemas/files/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { unprocessable } from '../core/errors.ts'
import type { StoredFile } from '../entities/files.ts'
import { createStoredBytes, type FileBytes } from './extract/bytes.ts'
import type { Table } from './extract/source.ts'
import { isWorkbookExtension } from './file-types.ts'
import { SNIFF_BYTES, sniffWithRows } from './sniff.ts'

export interface FilePreview {
  kind: 'text' | 'workbook' | 'other'
  encoding?: string
  delimiter?: string
  tables: {
    name?: string | undefined
    headerRow: number
    headerLines: number
    width: number
    rows: { row: number; cells: string[] }[]
  }[]
}

interface PreviewOverrides {
  delimiter?: string | undefined
  encoding?: string | undefined
}

const TEXT_EXTENSIONS = new Set(['csv', 'tsv', 'psv', 'tab', 'txt', ''])

export async function buildPreview(file: StoredFile, overrides: PreviewOverrides): Promise<FilePreview> {
  const bytes = createStoredBytes(file)
  if (isWorkbookExtension(file.ext)) return { kind: 'workbook', tables: await previewWorkbook(bytes) }
  return TEXT_EXTENSIONS.has(file.ext) ? previewText(bytes, overrides) : { kind: 'other', tables: [] }
}

async function previewText(file: FileBytes, overrides: PreviewOverrides): Promise<FilePreview> {
  const sample = await file.range(0, SNIFF_BYTES + 1)
  const { layout, rows } = sniffWithRows(sample.subarray(0, SNIFF_BYTES), {
    isComplete: sample.length <= SNIFF_BYTES,
    declaredEncoding: overrides.encoding ?? file.declaredEncoding,
    ext: file.ext,
    delimiter: overrides.delimiter,
  })
  const { headerRow, lines, width, encoding, dialect } = layout
  if (dialect.isAssumed && file.size <= MAX_PREVIEW_BYTES) {
    const { openSource } = await import('./extract/formats.ts')
    const { isDelimited, tables } = await openSource(file, { encoding: overrides.encoding })
    if (isDelimited === undefined) return { kind: 'text', encoding: encoding.name, tables: tables.map(toPreviewTable) }
  }
  return {
    kind: 'text',
    encoding: encoding.name,
    delimiter: dialect.delimiter,
    tables: [toPreviewTable({ headerRow, headerLines: lines.length, width, firstRows: rows })],
  }
}

async function previewWorkbook(file: FileBytes): Promise<FilePreview['tables']> {
  if (file.size > MAX_PREVIEW_BYTES) throw unprocessable(message('files.previewTooLarge', { count: MAX_PREVIEW_BYTES }))
  const { openSource } = await import('./extract/formats.ts')
  const source = await openSource(file)
  await source.close?.()
  return source.tables.map(toPreviewTable)
}

const toPreviewTable = ({
  name,
  headerRow,
  headerLines,
  width,
  firstRows = [],
}: Omit<Table, 'header'>): FilePreview['tables'][number] => ({
  ...(name === undefined ? {} : { name }),
  headerRow,
  headerLines,
  width,
  rows: firstRows.slice(0, PREVIEW_LIMITS.rows).map(({ row, cells }) => ({
    row,
    cells: cells.slice(0, PREVIEW_LIMITS.columns).map((cell) => cell.slice(0, PREVIEW_LIMITS.characters)),
  })),
})
