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
  'values.whyBoolean': {
    one: '{count} of {total} value is yes or no',
    other: '{count} of {total} values are yes or no',
  },
  'values.whyDate': { one: '{count} of {total} value is a date', other: '{count} of {total} values are dates' },
  'values.whyEmail': {
    one: '{count} of {total} value is an email address',
    other: '{count} of {total} values are email addresses',
  },
  'values.whyEmpty': { one: 'The column is empty in {count} row', other: 'The column is empty in all {count} rows' },
  'values.whyNumber': { one: '{count} of {total} value is a number', other: '{count} of {total} values are numbers' },
  'values.whyOptions': {
    one: '{distinct} different values in {count} row',
    other: '{distinct} different values in {count} rows',
  },
  'values.whyPhone': {
    one: '{count} of {total} value is a phone number',
    other: '{count} of {total} values are phone numbers',
  },
  'values.whyRequired': { one: 'Never empty in {count} row', other: 'Never empty in {count} rows' },
  'values.whyText': {
    one: 'Different texts of up to {count} character',
    other: 'Different texts of up to {count} characters',
  },
  'values.whyTime': {
    one: '{count} of {total} value is a time of day',
    other: '{count} of {total} values are times of day',
  },
  'values.whyUnique': { one: '{count} value, no duplicates', other: '{count} values, no duplicates' },
  'values.whyUnit': {
    one: '{count} of {total} value is a number in {unit}',
    other: '{count} of {total} values are numbers in {unit}',
  },
  'values.whyUrl': {
    one: '{count} of {total} value is a web address',
    other: '{count} of {total} values are web addresses',
  },
} as const satisfies Record<string, Text>
