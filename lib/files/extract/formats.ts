/** Chooses the reader of a file by its first bytes, then by its name. Readers are loaded lazily. */

import type { HeaderLineCounts, MergedCellOptions } from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { isPasswordNeeded, unprocessable } from '../../core/errors.ts'
import { explainUnsupported, isArrowExtension, isUnsupported, isWorkbookExtension } from '../file-types.ts'
import { createMemoryBytes, type FileBytes } from './bytes.ts'
import { getHeaderLines } from './header-options.ts'
import { COMPOUND_FILE_SIGNATURE, ZIP_SIGNATURE } from './signatures.ts'
import type { Source } from './source.ts'
import { openText, type TextOptions } from './text.ts'

export type FormatOptions = Omit<TextOptions, 'headerLines'> & {
  widths?: readonly number[] | undefined
  mergedCellOptions?: MergedCellOptions | undefined
  headerRows?: Record<string, number> | undefined
  splitSheets?: boolean | undefined
  headerLines?: HeaderLineCounts | undefined
}

const ZIP_SIGNATURES = [ZIP_SIGNATURE, 'PK\x05\x06']
const GZIP_SIGNATURE = '\x1f\x8b'
const PARQUET_SIGNATURES = ['PAR1', 'PARE']
const ARROW_SIGNATURE = 'ARROW1\0\0'
const ARROW_STREAM_SIGNATURE = '\xff\xff\xff\xff'
const OLD_FEATHER_SIGNATURE = 'FEA1'

/**
 * `close` releases temporary files.
 * @throws ApiError unprocessable with the reason the file cannot be read
 */
export async function openSource(file: FileBytes, options: FormatOptions = {}): Promise<Source> {
  const head = (await file.range(0, 8)).toString('latin1')
  if (ZIP_SIGNATURES.some((signature) => head.startsWith(signature))) return openZip(file, options)
  if (head.startsWith(GZIP_SIGNATURE)) return openGzipFile(file, options)
  if (head.startsWith(COMPOUND_FILE_SIGNATURE)) return openCompound(file, options)
  if (PARQUET_SIGNATURES.some((signature) => head.startsWith(signature))) return openParquetFile(file)
  if (file.ext === 'parquet') throw unprocessable(message('files.notParquet'))
  if (head.startsWith(ARROW_SIGNATURE) || isArrowExtension(file.ext)) return openArrowFile(file, head)
  if (/^html?$|^xls$/.test(file.ext)) {
    const { isPage, openHtml } = await import('./html/index.ts')
    if (file.ext !== 'xls' || (await isPage(file))) return openHtml(file, options)
  }
  if (isUnsupported(file.ext)) throw createUnreadableError(file.ext)
  if (isWorkbookExtension(file.ext)) throw unprocessable(message('files.notAWorkbook'))
  if (options.widths) {
    const { openFixedWidth } = await import('./fixed-width.ts')
    return openFixedWidth(file, options.widths, toTextOptions(options))
  }
  return openByExtension(file, options)
}

async function openByExtension(file: FileBytes, options: FormatOptions): Promise<Source> {
  switch (file.ext) {
    case 'json':
      return (await import('./objects/json.ts')).openJson(file)
    case 'jsonl':
    case 'ndjson':
      return (await import('./objects/json.ts')).openJsonLines(file)
    case 'xml':
      return (await import('./objects/xml.ts')).openXml(file)
    default:
      return openPlainText(file, toTextOptions(options))
  }
}

const ALIGNED_EXTENSIONS = new Set(['txt', 'csv', ''])

/** Text without a delimiter may be aligned by position. */
async function openPlainText(file: FileBytes, options: TextOptions): Promise<Source> {
  const source = await openText(file, options)
  if (source.isDelimited || !ALIGNED_EXTENSIONS.has(file.ext)) return source
  const { detectWidths, openFixedWidth } = await import('./fixed-width.ts')
  const widths = await detectWidths(file, source.encoding!)
  return widths ? openFixedWidth(file, widths, options) : source
}

const toTextOptions = (options: FormatOptions): TextOptions => ({
  ...options,
  headerLines: getHeaderLines(options.headerLines),
})

const createUnreadableError = (ext: string) => unprocessable(explainUnsupported(ext))

async function openZip(file: FileBytes, options: FormatOptions): Promise<Source> {
  const [{ openArchive }, { isWorkbook }] = await Promise.all([import('./zip/archive.ts'), import('./xlsx/parts.ts')])
  const archive = await (file.isStored ? openArchive(file) : (await import('./nested.ts')).openNested(file))
  try {
    if (isWorkbook(archive)) {
      const { openWorkbook } = await import('./xlsx/index.ts')
      return withArchiveClose(archive, await openWorkbook(archive, options))
    }
    const { isOpenDocument, openOds } = await import('./ods/index.ts')
    if (isOpenDocument(archive))
      return withArchiveClose(archive, await openOds(archive, { ...options, isNested: !file.isStored }))
    if (!file.isStored) throw unprocessable(message('files.nestedZip'))
    const { openFileArchive } = await import('./archives.ts')
    return await openFileArchive(archive, (entry) => openSource(entry, options))
  } catch (error) {
    archive.close()
    throw error
  }
}

const withArchiveClose = (archive: { close(): void }, source: Source): Source => ({
  ...source,
  close: async () => {
    await source.close?.()
    archive.close()
  },
})

async function openParquetFile(file: FileBytes): Promise<Source> {
  const { openParquet } = await import('./parquet/index.ts')
  return openWithRandomAccess(file, openParquet)
}

async function openArrowFile(file: FileBytes, head: string): Promise<Source> {
  if (head.startsWith(OLD_FEATHER_SIGNATURE)) throw unprocessable(message('files.arrowOld'))
  if (![ARROW_SIGNATURE, ARROW_STREAM_SIGNATURE].some((signature) => head.startsWith(signature)))
    throw unprocessable(message('files.notArrow'))
  const { openArrow } = await import('./arrow/index.ts')
  return openWithRandomAccess(file, openArrow)
}

async function openCompound(file: FileBytes, options: FormatOptions): Promise<Source> {
  const { openXls } = await import('./xls/index.ts')
  return openWithRandomAccess(file, async (bytes) => {
    try {
      return await openXls(bytes, { ...options, isNested: !file.isStored })
    } catch (error) {
      if (!isPasswordNeeded(error)) throw error
      const { decryptWithDefault } = await import('../unlock/protection.ts')
      const decrypted = await decryptWithDefault(bytes)
      if (!decrypted) throw error
      return openDecrypted(createMemoryBytes(bytes, decrypted), options)
    }
  })
}

async function openDecrypted(file: FileBytes, options: FormatOptions): Promise<Source> {
  const head = (await file.range(0, 4)).toString('latin1')
  return head === ZIP_SIGNATURE ? openZip(file, options) : (await import('./xls/index.ts')).openXls(file, options)
}

async function openWithRandomAccess(file: FileBytes, open: (bytes: FileBytes) => Promise<Source>): Promise<Source> {
  if (file.isStored) return open(file)
  const { copyToDisk } = await import('./nested.ts')
  const copied = await copyToDisk(file)
  try {
    return withArchiveClose(copied, await open(copied.bytes))
  } catch (error) {
    copied.close()
    throw error
  }
}

async function openGzipFile(file: FileBytes, options: FormatOptions): Promise<Source> {
  if (!file.isStored) throw unprocessable(message('files.nestedGzip'))
  const { openGzip } = await import('./archives.ts')
  return openGzip(file, (inner) => openSource(inner, options))
}
