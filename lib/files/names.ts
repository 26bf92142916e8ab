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

/** Workbooks that are not read, and say so: no maintained library reads them safely. */
const UNREADABLE = new Set(['xls', 'xlsb', 'ods'])

type Named = Pick<File, 'ext' | 'mimetype'>

/** Is it of the formats no listener extracts? */
export const isPlatformsOwn = ({ ext, mimetype }: Named): boolean =>
  ['csv', 'tsv', 'psv'].includes(ext) || (ext === '' && ['text/csv', 'text/tab-separated-values'].includes(mimetype))

/** Can the platform extract it? */
export const isExtracted = (file: Named): boolean => EXTRACTED.has(file.ext) || isPlatformsOwn(file)

/** Does the platform answer for it when it is asked to extract it, if only with a reason why it cannot? */
export const isAnsweredFor = (file: Named): boolean => isExtracted(file) || UNREADABLE.has(file.ext)
