/** Messages about jobs: their progress, their results, and requests that change them. */
import type { Text } from './format.ts'

export const jobMessages = {
  'jobs.recordsDeleted': { one: 'Deleted {count} record', other: 'Deleted {count} records' },
  'jobs.recordsDeletedFrom': {
    one: '{count} record deleted from {sheet}.',
    other: '{count} records deleted from {sheet}.',
  },
  'jobs.deletionFinished': 'Records deleted',
  'jobs.deletingRecords': 'Deleting records',
  'jobs.recordsChanged': { one: 'Changed {count} record', other: 'Changed {count} records' },
  'jobs.recordsChangedIn': { one: '{count} record changed in {sheet}.', other: '{count} records changed in {sheet}.' },
  'jobs.changeFinished': 'Records changed',
  'jobs.changingRecords': 'Changing records: {count} done',
  'jobs.replacingValues': 'Replacing values',
  'jobs.open': 'Open {name}',
  'jobs.sheetLocked': 'The sheet {sheet} is locked. Unlock it and try again.',
  'jobs.nothingToUndo': 'The job has no import to undo: only a completed mapping that wrote records has one.',
  'jobs.importUndone': 'The import was undone',
  'jobs.importChangedBy':
    '{actor} changed records of the import since: {updated} updated, {deleted} deleted, for example {examples}.',
  'jobs.undoTooLarge':
    'The import changed more than {limit} records, and other records were written since by {actors}, so it can no longer be undone.',
  'jobs.noPreview': 'Jobs with the operation {operation} have no preview.',

  'jobs.extracting': 'Extracting {file}',
  'jobs.rowsExtracted': { one: 'Extracted {count} row', other: 'Extracted {count} rows' },
  'jobs.rowsRead': { one: '{file}: {count} row read.', other: '{file}: {count} rows read.' },
  'jobs.withSkipped': '{result} Skipped: {names}.',
  'jobs.withRepeatedHeaders': {
    one: '{result} ({count} repeated header row left out)',
    other: '{result} ({count} repeated header rows left out)',
  },
  'jobs.extractionFinished': 'File extracted',
  'jobs.recordsExported': { one: 'Exported {count} record', other: 'Exported {count} records' },
  'jobs.recordsInFile': { one: '{count} record in {file}.', other: '{count} records in {file}.' },
  'jobs.exportFinished': 'Export finished',
  'jobs.exportProgress': { one: 'Wrote {done} of {count} record', other: 'Wrote {done} of {count} records' },
  'jobs.workbookWithoutSheets': 'The workbook has no sheets.',
  'jobs.filesPacked': { one: 'Packed {count} file', other: 'Packed {count} files' },
  'jobs.agentVersionExported': {
    one: 'Exported version {version} of {agent}: {count} file',
    other: 'Exported version {version} of {agent}: {count} files',
  },
  'jobs.agentFiles': { one: '{agent}: {count} file.', other: '{agent}: {count} files.' },
  'jobs.bundleInsteadOfSources': '{result} Its source map has no sources, so the archive has the bundle instead.',
  'jobs.agentExportFinished': 'Agent exported',

  'jobs.failed': 'The job failed',
  'jobs.tryAgain': 'Try again',
  'jobs.unexpectedFailure': 'Something went wrong on our side; try again later.',
  'jobs.timeLimitExceeded': 'The job exceeded the time limit of one run. Split the data into smaller parts.',
  'jobs.noListener': {
    one: 'No listener picked up the job within {count} hour. Start a listener that handles {operation}.',
    other: 'No listener picked up the job within {count} hours. Start a listener that handles {operation}.',
  },
  'jobs.noSignOfLife': {
    one: 'The job showed no sign of life for {count} hour. Its listener has probably stopped.',
    other: 'The job showed no sign of life for {count} hours. Its listener has probably stopped.',
  },
  'jobs.noSignOfLifePastEstimate': {
    one: 'The job showed no sign of life for {count} hour past its estimated completion. Its listener has probably stopped.',
    other:
      'The job showed no sign of life for {count} hours past its estimated completion. Its listener has probably stopped.',
  },
  'jobs.predecessorEnded': 'Its predecessor {job} is {status}.',
  'jobs.predecessorRemoved': 'Its predecessor {job} was removed.',
  'jobs.parentEnded': 'Its parent job is {status}.',
  'jobs.scheduleRemoved': 'Its action no longer has this schedule.',

  'jobs.retryFirst': '{job} is {status}; retry it first',
  'jobs.tooManySuccessors': '{job} already has {count} successors, the maximum',
  'jobs.wrongStatus': 'The job is {status}. "{trigger}" is only allowed in {states}.',
  'jobs.statusNotSettable': 'cannot be set to {status}',
  'jobs.statusWhenScheduling': 'cannot be {status} when scheduling a job; omit it',
  'jobs.notForeground': 'Only the outcome of a foreground job can be acknowledged; this is a {mode} job.',
  'jobs.notWithImmediate': 'cannot be combined with trigger "immediate"',
  'jobs.notWithPlan': 'cannot be combined with a plan: every repetition would need its own',
  'jobs.notItsEnvironment': "is not the environment of the job's source; omit it",
  'jobs.tooLarge':
    'Jobs are limited to {limit} bytes, including config, input, metadata and outcome; this one has {count}. Store the data in a file or in records and refer to it.',
  'jobs.splitTooLarge':
    "The parts of a split are limited to {limit} bytes in total, including copies of the parent's input, config and metadata; these have {count}. Store the data in a file or in records and refer to it.",
  'jobs.platformJobNotSplittable': '{operation} is run by the platform. Only jobs of listeners can be split.',
  'jobs.waitsForPredecessors': 'The job is waiting for its predecessors. Split it when it is ready.',
  'jobs.downloadAddress': 'must be {filePath}, {sheetPath}, or a full https address',
  'jobs.pageAddress': 'must be a full http or https address, or a path that starts with one /',
  'jobs.outcomeTrigger': 'must be manual, automatic or automatic_silent, or an object with one of these as its type',
  'jobs.unknownField': 'there is no field {field}',
  'jobs.unknownSheetField': 'the sheet has no field {field}',
  'jobs.sameSheet': 'must be a different sheet than the source',
  'jobs.sheetRequired': "is required because the job's source is not a sheet",
} as const satisfies Record<string, Text>
