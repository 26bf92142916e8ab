/** Messages about reading texts as values. */
import type { Text } from './format.ts'

export const valueMessages = {
  'values.original': 'was "{original}"',
  'values.severalMeanings': 'This text can mean {alternatives}: enter one of them',
  'values.otherUnit':
    'The unit of this number differs from the other numbers or from the field: use a number without a unit',
  'values.fieldsOrSheet': 'is required unless sheetId is given, and not allowed with it',
  'values.tooMany': 'have {count} values; a call can have at most {limit}',
  'values.otherType': 'is a reading of the type {reading}; the field has the type {field}',
} as const satisfies Record<string, Text>
