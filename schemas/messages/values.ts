import type { Text } from './format.ts'

export const valueMessages = {
  'values.original': 'was "{original}"',
  'values.severalMeanings': 'This text can mean {alternatives}: enter one of them',
  'values.otherUnit':
    'The unit of this number differs from the other numbers or from the field: use a number without a unit',
  'values.notEmail': 'This value is not an email address: use a form such as ada@example.com',
  'values.notPhone':
    'This value is not a phone number, or its country is not known: start it with + and the country code',
  'values.notUrl': 'This value is not a web address: use a form such as https://example.com',
  'values.notTime': 'This value is not a time of day: use a form such as 14:30',
  'values.fieldsOrSheet': 'is required unless sheetId is given, and not allowed with it',
  'values.tooMany': 'have {count} values; a call can have at most {limit}',
  'values.otherType': 'is a reading of the type {reading}; the field has the type {field}',
} as const satisfies Record<string, Text>
