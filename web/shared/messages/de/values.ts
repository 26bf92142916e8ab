import type { Text } from '../../../../schemas/messages/format.ts'
import type { valueMessages } from '../../../../schemas/messages/values.ts'

export const values: Record<keyof typeof valueMessages, Text> = {
  'values.original': 'war „{original}“',
  'values.severalMeanings': 'Dieser Text kann {alternatives} bedeuten: geben Sie eines davon ein',
  'values.otherUnit':
    'Die Einheit dieser Zahl weicht von den anderen Zahlen oder vom Feld ab: geben Sie eine Zahl ohne Einheit ein',
  'values.notEmail': 'Dieser Wert ist keine E-Mail-Adresse: verwenden Sie eine Form wie ada@example.com',
  'values.notPhone':
    'Dieser Wert ist keine Telefonnummer, oder ihr Land ist nicht bekannt: beginnen Sie mit + und der Landesvorwahl',
  'values.notUrl': 'Dieser Wert ist keine Webadresse: verwenden Sie eine Form wie https://example.com',
  'values.notTime': 'Dieser Wert ist keine Uhrzeit: verwenden Sie eine Form wie 14:30',
  'values.fieldsOrSheet': 'ist erforderlich, wenn sheetId fehlt, und sonst nicht erlaubt',
  'values.tooMany': 'haben {count} Werte; ein Aufruf kann höchstens {limit} haben',
  'values.otherType': 'ist eine Lesart des Typs {reading}; das Feld hat den Typ {field}',
}
