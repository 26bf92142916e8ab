/** Messages about actions: their size, their input, and their constraints. */
import type { Text } from './format.ts'

export const actionMessages = {
  'actions.tooLarge': 'must not exceed {limit} bytes as JSON',
  'actions.inputRequired': '{field} is required',
  'actions.inputText': '{field} must be a text',
  'actions.inputNumber': '{field} must be a number',
  'actions.inputBoolean': '{field} must be true or false',
  'actions.inputDate': '{field} must be a date',
  'actions.inputList': '{field} must be a list',
  'actions.inputOption': '{field} must be one of {options}',
  'actions.inputOptions': '{field} must be some of {options}',

  'actions.cannotRun': '{action} cannot run: {reason}.',
  'actions.noRecords': 'there are no records',
  'actions.noSelection': 'no records are selected (set subject.query)',
  'actions.emptySelection': 'the selection is empty',
  'actions.recordsWithErrors': { one: '{count} record has errors', other: '{count} records have errors' },
  'actions.noColumn': 'no column is selected (set subject.params.columnKey)',
  'actions.unknownColumn': 'there is no column {column}',
  'actions.readOnlyColumn': 'the column {column} is read-only',
} as const satisfies Record<string, Text>
