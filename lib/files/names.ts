/** What a file's name tells: its extension, who extracts it and, where the sender did not say, its media type. */
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
const UNTOLD = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** Lower case, without the dot; empty when there is none. */
export const extensionOf = (name: string): string => /[^.]\.([^.\s]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/

/** What the sender said, where that is a media type; otherwise what the name says. */
export function mediaTypeOf(name: string, told: string | undefined): string {
  const type = (told ?? '').split(';')[0]!.trim().toLowerCase()
  return UNTOLD.has(type) || !MEDIA_TYPE.test(type)
    ? (MEDIA_TYPES[extensionOf(name)] ?? 'application/octet-stream')
    : type
}

const TEXT = ['csv', 'tsv', 'psv', 'tab', 'txt', 'json', 'jsonl', 'ndjson', 'xml']

/** Extensions of the files the platform extracts. */
export const EXTRACTED: ReadonlySet<string> = new Set([...TEXT, 'xlsx', 'xlsm', 'zip', 'gz'])

const AS_SHEET = 'save it as XLSX or CSV and upload that'
const FROM_DOCUMENT = 'put its table into a spreadsheet, save it as XLSX or CSV and upload that'

/** Kinds people upload that are not read: their names, and what to do. No maintained library reads the workbooks safely. */
const UNREADABLE: Record<string, readonly [kind: string, advice: string]> = {
  xls: ['old Excel workbooks', AS_SHEET],
  xlsb: ['binary Excel workbooks', AS_SHEET],
  ods: ['OpenDocument spreadsheets', AS_SHEET],
  numbers: ['Apple Numbers', 'export it as XLSX or CSV and upload that'],
  parquet: ['Apache Parquet', 'export it as CSV and upload that'],
  doc: ['documents', FROM_DOCUMENT],
  docx: ['documents', FROM_DOCUMENT],
  odt: ['documents', FROM_DOCUMENT],
  pages: ['documents', FROM_DOCUMENT],
  pdf: ['documents', FROM_DOCUMENT],
  '7z': ['archives', 'pack it as ZIP'],
  rar: ['archives', 'pack it as ZIP'],
  tar: ['archives', 'pack it as ZIP'],
  tgz: ['archives', 'pack it as ZIP'],
}

/** Is it of a kind that people upload and that is known not to be read? */
export const isUnreadable = (ext: string): boolean => Object.hasOwn(UNREADABLE, ext)

/** Why a file of that extension is not read, and what to do. */
export function reasonUnread(ext: string): string {
  const known = isUnreadable(ext) ? UNREADABLE[ext] : undefined
  if (known) return `${ext.toUpperCase()} files (${known[0]}) are not read: ${known[1]}.`
  return ext === ''
    ? 'A name without an ending does not say how to read the file: add the ending and upload it again.'
    : `${ext.toUpperCase()} files are not read.`
}

/** The kinds that are read, for a message. */
export const READ_KINDS = 'CSV, TSV, PSV, TXT, XLSX, XLSM, JSON, JSONL, XML, and ZIP or GZ of these'

type Named = Pick<File, 'ext' | 'mimetype'>

/** Is it of the formats no listener extracts? */
export const isPlatformsOwn = ({ ext, mimetype }: Named): boolean =>
  ['csv', 'tsv', 'psv'].includes(ext) || (ext === '' && ['text/csv', 'text/tab-separated-values'].includes(mimetype))

/** Can the platform extract it? */
export const isExtracted = (file: Named): boolean => EXTRACTED.has(file.ext) || isPlatformsOwn(file)

/** Does the platform answer for it when it is asked to extract it, if only with a reason why it cannot? */
export const isAnsweredFor = (file: Named): boolean => isExtracted(file) || isUnreadable(file.ext)
