/** Messages about files: uploads, reading, and exports. */
import type { Text } from './format.ts'

export const fileMessages = {
  'files.reason': '{file}: {reason}',
  'files.internalError': 'An internal error occurred. Try extracting the file again later.',

  'files.nameHasSlashes': 'must not contain slashes or control characters',
  'files.nameHasBidi': 'must not contain bidirectional control characters',
  'files.invalidName': 'has an invalid file name: {problem}',
  'files.invalidPrefix': 'produces an invalid file name: {problem}',

  'files.environmentMismatch': 'does not match the environment of the space',
  'files.spaceRequired': 'is required because this token is not limited to one environment',
  'files.workbookElsewhere': 'is not a workbook in the same space',
  'files.statusReasonNotAllowed': 'is only allowed together with `status` `failed`',
  'files.stillUploading': 'The file is still uploading.',
  'files.stillReading': 'The file is still being read. Try again when that has ended.',
  'files.size': { one: 'The file has {count} byte.', other: 'The file has {count} bytes.' },

  'files.exceedsBytes': 'exceeds the limit of {count} bytes',
  'files.tooLarge': 'A file can have at most {count} bytes.',
  'files.wrongUploadSize': {
    one: 'Received {count} byte of the upload instead of {expected}.',
    other: 'Received {count} bytes of the upload instead of {expected}.',
  },
  'files.nothingUploaded': 'No bytes were received. PUT them to the upload URL first.',
  'files.partsRequired': 'must list every part with its etag',
  'files.invalidParts': 'The parts do not form a valid file: {problem}',

  'files.formRequired': 'must be multipart/form-data',
  'files.fileRequired': 'is missing',
  'files.severalFiles': 'must be exactly one file per request, got {count}',
  'files.invalidForm': 'is not a valid form: {problem}',
  'files.tooManyFormFields': 'exceeds the limit of {count} fields',

  'files.requiredForAlgorithm': 'is required for the algorithm {algorithm}',
  'files.rowNotInData': 'row {row} does not exist in the data',

  'files.previewTooLarge': 'Workbooks of more than {count} bytes have no preview.',
  'files.cellTooLong':
    'Sheet {sheet}, row {row}: {column} exceeds the spreadsheet limit of {count} characters per cell. Export as CSV or JSON.',
  'files.tooManyComments':
    'Sheet {sheet} has messages in more than {count} cells, or too long ones. Select fewer records, or export with a column of messages instead of comments.',

  'files.supportedTypes':
    '{explanation} Supported files: CSV, TSV, PSV, TXT, XLSX, XLSM, XLSB, XLS, ODS, PARQUET, ARROW, FEATHER, JSON, JSONL, XML, HTML, and ZIP or GZ of these.',
  'files.unsupportedType': 'Files of the type {type} are not supported.',
  'files.noExtension':
    'The file name has no extension to identify its type. Add the extension and upload the file again.',
  'files.appleNumbers':
    'Apple Numbers files ({type}) are not supported. Export the table as XLSX or CSV and upload that file.',
  'files.document':
    'Documents ({type}) are not supported. Copy the table into a spreadsheet, save it as XLSX or CSV, and upload that file.',
  'files.otherArchive': 'Archives of the type {type} are not supported. Repack the files as ZIP and upload that file.',
} as const satisfies Record<string, Text>
