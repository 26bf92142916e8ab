/** Determines a file's extension, media type and extractor from its name. */
import type { File } from '../../schemas/files.ts'

const MEDIA_TYPES: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  psv: 'text/plain',
  txt: 'text/plain',
  json: 'application/json',
  jsonl: 'application/jsonl',
  ndjson: 'application/jsonl',
  xml: 'application/xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
  xlsb: 'application/vnd.ms-excel.sheet.binary.macroenabled.12',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
}
const GENERIC_MEDIA_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

export const getExtension = (name: string): string => /[^.]\.([^.\s]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/

export function getMediaType(name: string, declaredType: string | undefined): string {
  const type = (declaredType ?? '').split(';')[0]!.trim().toLowerCase()
  return GENERIC_MEDIA_TYPES.has(type) || !MEDIA_TYPE.test(type)
    ? (MEDIA_TYPES[getExtension(name)] ?? 'application/octet-stream')
    : type
}

const TEXT_EXTENSIONS = ['csv', 'tsv', 'psv', 'tab', 'txt', 'json', 'jsonl', 'ndjson', 'xml']

export const EXTRACTED_EXTENSIONS: ReadonlySet<string> = new Set([...TEXT_EXTENSIONS, 'xlsx', 'xlsm', 'zip', 'gz'])

const SAVE_AS_SHEET_ADVICE = 'save it as XLSX or CSV and upload that file'
const DOCUMENT_ADVICE = 'copy its table into a spreadsheet, save it as XLSX or CSV and upload that file'

/** Common unsupported types, with advice for users. No maintained library reads these workbooks safely. */
const UNSUPPORTED_TYPES: Record<string, readonly [kind: string, advice: string]> = {
  xls: ['legacy Excel workbooks', SAVE_AS_SHEET_ADVICE],
  xlsb: ['binary Excel workbooks', SAVE_AS_SHEET_ADVICE],
  ods: ['OpenDocument spreadsheets', SAVE_AS_SHEET_ADVICE],
  numbers: ['Apple Numbers', 'export it as XLSX or CSV and upload that file'],
  parquet: ['Apache Parquet', 'export it as CSV and upload that file'],
  doc: ['documents', DOCUMENT_ADVICE],
  docx: ['documents', DOCUMENT_ADVICE],
  odt: ['documents', DOCUMENT_ADVICE],
  pages: ['documents', DOCUMENT_ADVICE],
  pdf: ['documents', DOCUMENT_ADVICE],
  '7z': ['archives', 'repack it as ZIP'],
  rar: ['archives', 'repack it as ZIP'],
  tar: ['archives', 'repack it as ZIP'],
  tgz: ['archives', 'repack it as ZIP'],
}

export const isUnsupported = (ext: string): boolean => Object.hasOwn(UNSUPPORTED_TYPES, ext)

export function explainUnsupported(ext: string): string {
  const unsupported = isUnsupported(ext) ? UNSUPPORTED_TYPES[ext] : undefined
  if (unsupported) return `${ext.toUpperCase()} files (${unsupported[0]}) are not supported: ${unsupported[1]}.`
  return ext === ''
    ? 'The file name has no extension to identify its type. Add the extension and upload the file again.'
    : `${ext.toUpperCase()} files are not supported.`
}

export const SUPPORTED_TYPES = 'CSV, TSV, PSV, TXT, XLSX, XLSM, JSON, JSONL, XML, and ZIP or GZ of these'

type FileType = Pick<File, 'ext' | 'mimetype'>

export const isAlwaysExtracted = ({ ext, mimetype }: FileType): boolean =>
  ['csv', 'tsv', 'psv'].includes(ext) || (ext === '' && ['text/csv', 'text/tab-separated-values'].includes(mimetype))

export const isExtractable = (file: FileType): boolean => EXTRACTED_EXTENSIONS.has(file.ext) || isAlwaysExtracted(file)

/** True if the platform handles extraction requests, even if only to explain why it cannot. */
export const isHandledByPlatform = (file: FileType): boolean => isExtractable(file) || isUnsupported(file.ext)
