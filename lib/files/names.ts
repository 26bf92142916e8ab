/** What a file's name tells: its extension and, where the sender did not say, its media type. */

const MEDIA_TYPES: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  psv: 'text/plain',
  txt: 'text/plain',
  json: 'application/json',
  jsonl: 'application/jsonl',
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

/** Does the platform itself extract it when it arrives? Others are left to listeners. */
export const isDelimitedText = (file: { ext: string; mimetype: string }): boolean =>
  ['csv', 'tsv'].includes(file.ext) ||
  (file.ext === '' && ['text/csv', 'text/tab-separated-values'].includes(file.mimetype))
