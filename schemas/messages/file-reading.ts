/** Messages about the content of files: why a file cannot be read. */
import type { Text } from './format.ts'

export const fileReadingMessages = {
  'files.empty': 'The file is empty.',
  'files.blank': 'The file is empty or contains only whitespace.',
  'files.notAWorkbook': 'The file is not a valid workbook.',
  'files.workbookDamaged': 'The workbook is damaged at byte {byte}.',
  'files.sharedTextsDamaged': 'The texts of the workbook are damaged.',
  'files.oldWorkbook': 'The workbook was saved by Excel 95 or older. Save it as XLSX and try again.',
  'files.xlsTooLarge': 'An XLS workbook can have at most {count} bytes. Save it as XLSX and try again.',
  'files.rowsNotInOrder':
    'Row {row} comes after row {previous}. Save the workbook again in a spreadsheet program and try again.',

  'files.parquetDamaged': 'The Parquet file is damaged: {problem}.',
  'files.parquetEncrypted': 'The Parquet file is encrypted. Write it without encryption and upload that file.',
  'files.notParquet': 'The file is not a valid Parquet file.',
  'files.parquetFooterTooLarge':
    'The footer of the Parquet file has {count} bytes; at most {maximum} are allowed. Write fewer row groups.',
  'files.parquetBufferTooLarge':
    'Reading the Parquet file needs more than {count} bytes of memory. Write it with smaller pages or row groups.',
  'files.arrowDamaged': 'The Arrow file is damaged: {problem}.',
  'files.notArrow': 'The file is not a valid Arrow or Feather file.',
  'files.arrowOld':
    'The file has an old version of Arrow or Feather. Write it as Feather version 2 and upload that file.',
  'files.arrowMetadataTooLarge':
    'The metadata of the Arrow file has {count} bytes; at most {maximum} are allowed. Write fewer columns or record batches.',
  'files.arrowBufferTooLarge':
    'Reading the Arrow file needs more than {count} bytes of memory. Write it with smaller record batches.',
  'files.columnType': 'Column {column} has a type, encoding or compression that is not supported: {type}.',
  'files.columnValue': 'Row {row}: {column} has a value that is not text, such as binary data.',
  'files.columnTooDeep': 'Column {column} exceeds the nesting limit of {count} levels.',
  'files.tooManyTables': 'The file has more than {count} tables, the maximum per file.',
  'files.tooLargeForOneFunction': 'A file of more than {count} bytes must be delimited text, all of it in UTF-8.',
  'files.tooManyRows': 'The table has more than {count} rows, the maximum of a sheet.',
  'files.tooManyColumns': 'The table has {count} columns; a sheet has at most {maximum}.',
  'files.rowTooWide': 'Row {row} has {count} columns; a sheet has at most {maximum}.',
  'files.rowTooLarge': 'A row has more than {count} bytes.',
  'files.headerRowTooFar': 'Row {row} cannot be the header row because it is not among the first {count} rows.',
  'files.headerLinesTooMany': {
    one: 'The header ends in row {row}, so it cannot have {count} line.',
    other: 'The header ends in row {row}, so it cannot have {count} lines.',
  },
  'files.headerRowEmpty': 'Row {row} of sheet {sheet} cannot be the header row because it is empty.',

  'files.notText': 'The file is not text: it has binary content at byte {byte}.',
  'files.binary': 'The file is {kind}, not delimited text.',
  'files.kindZip': 'a ZIP archive or an Excel workbook',
  'files.kindLegacyExcel': 'a legacy Excel workbook',
  'files.kindPdf': 'a PDF document',
  'files.kindGzip': 'a gzip archive',
  'files.kindPng': 'a PNG image',
  'files.kindJpeg': 'a JPEG image',
  'files.kindGif': 'a GIF image',
  'files.kindProgram': 'a program',
  'files.kindParquet': 'a Parquet file',
  'files.kindSqlite': 'an SQLite database',
  'files.rowHasNul': 'Row {row} has a NUL character at byte {byte}. The file is damaged or is not a text file.',
  'files.rowDoesNotEnd': 'Row {row} does not end within {count} characters.',
  'files.undecodableRow': 'In row {row} byte {byte} is not valid {encoding}. Save the file as UTF-8 and try again.',
  'files.undecodableLine': 'In line {line} byte {byte} is not valid {encoding}. Save the file as UTF-8 and try again.',
  'files.undecodableRecord':
    'After record {record} byte {byte} is not valid {encoding}. Save the file as UTF-8 and try again.',

  'files.tooManyWidths': 'exceeds the limit of {count} columns per sheet',
  'files.lineTooLong': 'Line {line} has more than {count} characters.',
  'files.lineTooWide': 'Line {line} is longer than the declared columns and continues with {text}.',

  'files.noRecords': 'The file has no records.',
  'files.jsonEndsEarly': 'The JSON ends within record {record}.',
  'files.invalidJson': 'Invalid JSON after record {record}, at byte {byte}: {problem}.',
  'files.recordValueTooLong': 'Record {record} has a value of more than {count} characters.',
  'files.recordListTooLong': 'Record {record} has a list of more than {count} characters.',
  'files.recordTooDeep': 'Record {record} exceeds the nesting limit of {count} levels.',
  'files.tooManyValues':
    'The outermost object has more than {count} values. Expected a list of records, or an object of such lists.',
  'files.tooManyRecordColumns': 'With record {record} there are {count} columns; a sheet has at most {maximum}.',

  'files.invalidXml': 'Invalid XML in line {line}, column {column}: {problem}',
  'files.unknownEncoding': 'The XML declares an unknown encoding: {encoding}.',
  'files.xmlDocumentType':
    'Line {line} has a document type (DOCTYPE), which is not supported because it can refer to entities and external files.',
  'files.xmlTextTooLong': 'Line {line} has a tag or text of more than {count} characters.',
  'files.xmlTooDeep': 'Line {line} has elements nested more than {count} levels deep.',
  'files.elementTooDeep': 'Element {element} exceeds the nesting limit of {count} levels.',
  'files.tooManyElements': 'The XML has more than {count} kinds of elements.',
  'files.xmlRecordTooLong': 'A record of {element} has more than {count} characters.',

  'files.sheetReason': 'Sheet {sheet}: {reason}',
  'files.pageWithoutTable': 'The page has no table.',
  'files.pageTooLarge': 'A page with tables can have at most {count} bytes.',
  'files.emptyWorkbook': 'The workbook is empty.',
  'files.tooManySheetsWithData': 'The workbook has more than {count} sheets with data, the maximum per file.',
  'files.tooManySheets': 'The workbook has more than {count} sheets.',
  'files.tooManyFormats': 'The workbook has more than {count} formats.',
  'files.workbookPartMissing': 'The workbook is damaged: {part} is missing.',
  'files.sheetMissing': 'The workbook is damaged: the sheet {sheet} is missing.',
  'files.sheetShared': 'The workbook is damaged: the sheet {sheet} shares its content with another sheet.',
  'files.invalidRow': 'The row number {row} is not valid.',
  'files.invalidCell': 'In row {row} the cell reference {cell} is not valid.',
  'files.unknownSharedText': 'Cell {cell} refers to the shared text {text}, which does not exist in the workbook.',
  'files.invalidMergedRange': 'The range {range} of merged cells is not valid.',
  'files.tooManyMergedCells': 'There are more than {count} merged cells, the maximum that can be filled.',
  'files.encryptedSpreadsheet': 'The spreadsheet is protected by a password. Save it without a password and try again.',
  'files.passwordRequired': 'The workbook is protected by a password. Unlock it with its password.',
  'files.wrongPassword': 'The password is wrong.',
  'files.notProtected': 'The file is not a workbook that is protected by a password.',
  'files.protectedTooLarge': 'A workbook with a password can have at most {count} bytes. Save it without a password.',
  'files.encryptionDamaged': 'The encryption of the workbook is damaged.',
  'files.encryptionUnsupported': 'The workbook is encrypted in a way that is not supported: {method}.',
  'files.tooManyPasswordRounds':
    'The password of the workbook is hashed {count} times; at most {maximum} are allowed. Save it without a password.',
  'files.repeatedCellsTooLarge': 'The repeated rows and cells of the spreadsheet exceed {count} bytes.',
  'files.sharedTextsTooLarge': 'The shared texts of the workbook exceed {count} bytes. Save its sheets as CSV files.',

  'files.emptyArchive': 'The archive is empty.',
  'files.archiveWithoutTables': 'The archive contains no readable table: {files}.',
  'files.archiveTooLarge': 'The archive unpacks to more than {count} bytes, the maximum.',
  'files.gzipBomb':
    'After {count} bytes the archive has unpacked to more than {ratio} times its size. It was rejected as a possible ZIP bomb.',
  'files.gzipDamaged': 'The gzip archive is damaged: {problem}.',
  'files.notAnArchive': 'The file is damaged or is not a ZIP archive: {problem}',

  'files.nestedZip': 'It is a ZIP archive inside an archive, which is not supported.',
  'files.nestedGzip': 'It is a gzip archive inside an archive, which is not supported.',
  'files.nestedWorkbooksTooLarge':
    'The workbooks in the archive exceed {count} bytes in total with this one. Import it as a separate file.',
  'files.nestedBomb':
    'It unpacks to more than {ratio} times its size in the archive. It was rejected as a possible ZIP bomb.',

  'files.tooManyEntries': 'The archive has {count} entries; the maximum is {maximum}.',
  'files.duplicateEntry': 'The archive has two entries named {entry}.',
  'files.overlappingEntries': 'The entries {first} and {second} of the archive overlap.',
  'files.unsafePath': 'The archive has an entry with an unsafe path ({problem}).',
  'files.symlinkEntry': 'The entry {entry} of the archive is a symbolic link, which is not supported.',
  'files.encryptedEntry':
    'The entry {entry} of the archive is encrypted. Save the file without a password and try again.',
  'files.compressionMethod': 'The entry {entry} of the archive uses an unsupported compression method ({method}).',
  'files.entryTooLarge': 'The entry {entry} of the archive unpacks to {count} bytes; the maximum is {maximum}.',
  'files.entryBomb':
    'The entry {entry} of the archive unpacks to more than {ratio} times its size. It was rejected as a possible ZIP bomb.',
  'files.entryDamaged': 'The entry {entry} of the archive is damaged: {problem}',
  'files.entryTooLong': {
    one: 'it has more than the declared {count} byte',
    other: 'it has more than the declared {count} bytes',
  },
  'files.entryTooShort': {
    one: 'it has {count} byte instead of the declared {declared}',
    other: 'it has {count} bytes instead of the declared {declared}',
  },
  'files.endsEarly': 'it ends too early',
} as const satisfies Record<string, Text>
