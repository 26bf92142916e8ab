/** Which reader a file is read by: what its first bytes say, then its name. Readers are loaded when they are needed. */

import type { MergedCellOptions } from '../../../schemas/operations.ts'
import { unprocessable } from '../../core/errors.ts'
import { isUnreadable, reasonUnread } from '../names.ts'
import type { FileBytes } from './bytes.ts'
import type { Source } from './source.ts'
import { openText, type TextOptions } from './text.ts'

export type FormatOptions = TextOptions & {
  /** Characters of each column, for text in fixed columns. */
  widths?: readonly number[] | undefined
  mergedCellOptions?: MergedCellOptions | undefined
  /** Of sheets of a workbook, by name. */
  headerRows?: Record<string, number> | undefined
}

/** An archive's first bytes, and those of one without entries. */
const ZIP = ['PK\x03\x04', 'PK\x05\x06']
const GZIP = '\x1f\x8b'
const COMPOUND = '\xd0\xcf\x11\xe0'

/**
 * Opens a file for reading; what it has kept is given up by `close`.
 * @throws ApiError unprocessable that says why the file cannot be read
 */
export async function openSource(file: FileBytes, options: FormatOptions = {}): Promise<Source> {
  const head = (await file.range(0, 8)).toString('latin1')
  if (ZIP.some((mark) => head.startsWith(mark))) return openZip(file, options)
  if (head.startsWith(GZIP)) return openPacked(file, options)
  if (head.startsWith(COMPOUND))
    throw unprocessable(
      'The file is an old Excel workbook (XLS), or one with a password: neither is read. Save it as XLSX without a password and try again.',
    )
  if (isUnreadable(file.ext)) throw notRead(file.ext)
  if (/^xls[xm]$/.test(file.ext)) throw unprocessable('The file is no Excel workbook: it is not packed as one.')
  if (options.widths) {
    const { openFixed } = await import('./fixed.ts')
    return openFixed(file, options.widths, options)
  }
  return openByName(file, options)
}

async function openByName(file: FileBytes, options: FormatOptions): Promise<Source> {
  switch (file.ext) {
    case 'json':
      return (await import('./objects/json.ts')).openJson(file)
    case 'jsonl':
    case 'ndjson':
      return (await import('./objects/json.ts')).openJsonLines(file)
    case 'xml':
      return (await import('./objects/xml.ts')).openXml(file)
    default:
      return openText(file, options)
  }
}

const notRead = (ext: string) => unprocessable(reasonUnread(ext))

async function openZip(file: FileBytes, options: FormatOptions): Promise<Source> {
  const [{ openArchive }, { isWorkbook }] = await Promise.all([import('./zip/archive.ts'), import('./xlsx/parts.ts')])
  const archive = await (file.isStored ? openArchive(file) : (await import('./nested.ts')).openNested(file))
  try {
    if (isWorkbook(archive)) {
      const { openWorkbook } = await import('./xlsx/index.ts')
      return closing(archive, await openWorkbook(archive, options))
    }
    if (!file.isStored) throw unprocessable('It is a ZIP archive, which is not read within an archive.')
    if (archive.entries.has('mimetype') && archive.entries.has('content.xml')) throw notRead('ods')
    const { openFolder } = await import('./archives.ts')
    return await openFolder(archive, (entry) => openSource(entry, options))
  } catch (error) {
    archive.close()
    throw error
  }
}

/** The source, with the archive closed at its end. */
const closing = (archive: { close(): void }, source: Source): Source => ({
  ...source,
  close: async () => {
    await source.close?.()
    archive.close()
  },
})

async function openPacked(file: FileBytes, options: FormatOptions): Promise<Source> {
  if (!file.isStored) throw unprocessable('It is a gzip archive, which is not read within an archive.')
  const { openGzip } = await import('./archives.ts')
  return openGzip(file, (inner) => openSource(inner, options))
}
