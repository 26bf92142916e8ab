import type { File } from '../../schemas/files/shape.ts'
import { message } from '../../schemas/messages/index.ts'

const MEDIA_TYPES: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  psv: 'text/plain',
  txt: 'text/plain',
  json: 'application/json',
  jsonl: 'application/jsonl',
  ndjson: 'application/jsonl',
  xml: 'application/xml',
  html: 'text/html',
  htm: 'text/html',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.file',
  feather: 'application/vnd.apache.arrow.file',
  ipc: 'application/vnd.apache.arrow.file',
  arrows: 'application/vnd.apache.arrow.stream',
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

const WORKBOOK_EXTENSIONS = ['xlsx', 'xlsm', 'xlsb', 'xls', 'ods']
const ARROW_EXTENSIONS = ['arrow', 'arrows', 'feather', 'ipc']
const TEXT_EXTENSIONS = ['csv', 'tsv', 'psv', 'tab', 'txt', 'json', 'jsonl', 'ndjson', 'xml', 'html', 'htm']

export const EXTRACTED_EXTENSIONS: ReadonlySet<string> = new Set([
  ...TEXT_EXTENSIONS,
  ...WORKBOOK_EXTENSIONS,
  'parquet',
  ...ARROW_EXTENSIONS,
  'zip',
  'gz',
])

export const isWorkbookExtension = (ext: string): boolean => WORKBOOK_EXTENSIONS.includes(ext)

export const isArrowExtension = (ext: string): boolean => ARROW_EXTENSIONS.includes(ext)

/** Common unsupported types, with advice for users. */
const UNSUPPORTED_TYPES = {
  numbers: 'files.appleNumbers',
  doc: 'files.document',
  docx: 'files.document',
  odt: 'files.document',
  pages: 'files.document',
  pdf: 'files.document',
  '7z': 'files.otherArchive',
  rar: 'files.otherArchive',
  tar: 'files.otherArchive',
  tgz: 'files.otherArchive',
} as const

export const isUnsupported = (ext: string): ext is keyof typeof UNSUPPORTED_TYPES =>
  Object.hasOwn(UNSUPPORTED_TYPES, ext)

export function explainUnsupported(ext: string): string {
  if (ext === '') return message('files.noExtension')
  return message(isUnsupported(ext) ? UNSUPPORTED_TYPES[ext] : 'files.unsupportedType', { type: ext.toUpperCase() })
}

type FileType = Pick<File, 'ext' | 'mimetype'>

export const isAlwaysExtracted = ({ ext, mimetype }: FileType): boolean =>
  ['csv', 'tsv', 'psv'].includes(ext) || (ext === '' && ['text/csv', 'text/tab-separated-values'].includes(mimetype))

export const isExtractable = (file: FileType): boolean => EXTRACTED_EXTENSIONS.has(file.ext) || isAlwaysExtracted(file)

/** True if the platform handles extraction requests, even if only to explain why it cannot. */
export const isHandledByPlatform = (file: FileType): boolean => isExtractable(file) || isUnsupported(file.ext)
