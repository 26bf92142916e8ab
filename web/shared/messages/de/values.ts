import type { Text } from '../../../../schemas/messages/format.ts'
import type { valueMessages } from '../../../../schemas/messages/values.ts'

export const values: Record<keyof typeof valueMessages, Text> = {
  'values.original': 'war „{original}“',
  'values.severalMeanings': 'Dieser Text kann {alternatives} bedeuten: geben Sie eines davon ein',
  'values.otherUnit':
    'Die Einheit dieser Zahl weicht von den anderen Zahlen oder vom Feld ab: geben Sie eine Zahl ohne Einheit ein',
  'values.fieldsOrSheet': 'ist erforderlich, wenn sheetId fehlt, und sonst nicht erlaubt',
  'values.tooMany': 'haben {count} Werte; ein Aufruf kann höchstens {limit} haben',
  'values.otherType': 'ist eine Lesart des Typs {reading}; das Feld hat den Typ {field}',
}
